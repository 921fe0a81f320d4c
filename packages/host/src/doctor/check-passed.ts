// Whether every denial was obeyed: a denied call that ran means that something on the way from our answer to the agent does not hold.
import { GUARD_PASSED } from '../decision/passed-guard.ts'
import type { Finding } from '../install/finding.ts'
import { queryEntries } from '../ledger/read-entry.ts'
import type { Store } from '../store/store.ts'

const SHOWN_MS = 7 * 24 * 3_600_000
const MAX_COUNTED = 100

export async function checkPassed(store: Store, now: number): Promise<readonly Finding[]> {
  const since = new Date(now - SHOWN_MS).toISOString()
  const asked = queryEntries(store, { kind: GUARD_PASSED, since }, { limit: MAX_COUNTED, newestFirst: true })
  // A database that cannot be read is a finding of its own.
  const entries = await asked.catch(() => [])
  const [last] = entries
  if (last === undefined) return []
  const { agent, tool, reason } = JSON.parse(last.body)
  const count =
    entries.length === 1 ? 'a denied call' : `${entries.length === MAX_COUNTED ? 'at least ' : ''}${entries.length} denied calls`
  return [
    {
      agent: null,
      check: 'denials',
      state: 'fail',
      message: `${count} ran all the same in the last 7 days; the last one at ${last.time}: ${tool} in ${agent} (${reason})`,
      remedy: `belay ledger query --kind ${GUARD_PASSED}, then: belay doctor ${agent}`,
    },
  ]
}
