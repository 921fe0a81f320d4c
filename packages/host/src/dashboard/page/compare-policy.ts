// page.compare: which recorded calls of a project would come out differently under the text on screen, of the last ones or of any range. The
// same function as `belay replay`, against the policy in force: both are judged anew, by rules alone and on the redacted record, so that a
// difference is one of the text.
import type { Entry } from '@belay/core/ledger'
import { type EntryFilter, readLastSeq } from '../../ledger/read-entry.ts'
import type { Compared } from '../../page/policy.ts'
import { createReplayCall } from '../../policy/replay/replay-call.ts'
import { parseFields } from '../../statistic/read-fields.ts'
import { recordRow } from '../../statistic/record-row.ts'
import { draftPolicy } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { scanBack } from './scan-entries.ts'
import { createTurns } from './turn.ts'

export interface CompareOptions {
  readonly root: string
  readonly text: string
  /** At most so many calls, the newest first. */
  readonly last: number
  /** Which calls; default: any. */
  readonly filter?: Pick<EntryFilter, 'since' | 'until' | 'session' | 'actor'>
}

const MAX_LOOKED = 50_000
const MAX_CHANGED = 200

type Change = Compared['changed'][number]

export async function comparePolicy(parts: PageParts, { root, text, last, filter = {} }: CompareOptions): Promise<Compared> {
  const current = parts.guards.get(root).guard
  const draft = draftPolicy(parts, root, text)
  const replay = createReplayCall()
  const changed: Change[] = []
  const counts: Record<string, number> = {}
  const unjudged: Record<string, number> = {}
  const turn = createTurns()
  let judged = 0
  for await (const entry of listCalls(parts, { ...filter, kind: 'pre_tool_use', project: root })) {
    if (draft.isBroken || judged >= last) break
    await turn()
    const found = replay(entry, parseFields(entry.body), { draft: draft.guard, current, against: 'current' })
    if (found.kind === 'other') continue
    if (found.kind === 'unjudged') {
      unjudged[found.why] = (unjudged[found.why] ?? 0) + 1
      continue
    }
    judged++
    if (found.kind === 'same') continue
    const { before, after, rule, reason } = found
    const name = `${before}>${after}`
    counts[name] = (counts[name] ?? 0) + 1
    if (changed.length < MAX_CHANGED) changed.push({ row: recordRow(entry), before, after, rule: rule?.id ?? null, reason })
  }
  return { judged, changed, counts, unjudged, lint: draft.lint }
}

/** Newest first. */
async function* listCalls({ ledger: { store } }: PageParts, filter: EntryFilter): AsyncGenerator<Entry> {
  let looked = 0
  for await (const step of scanBack(store, filter, (await readLastSeq(store)) + 1)) {
    yield* step.entries
    looked += step.looked
    if (looked >= MAX_LOOKED) return
  }
}
