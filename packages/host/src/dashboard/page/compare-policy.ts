// page.compare: which recorded calls of a project would come out differently under the text on screen, of the last ones or of any range. The
// same function as `belay replay`, against the policy in force: both are judged anew, by rules alone and on the redacted record, so that a
// difference is one of the text.
import { availableParallelism } from 'node:os'
import type { Entry } from '@belay/core/ledger'
import { findRange } from '../../ledger/find-time.ts'
import { type EntryFilter, readLastSeq } from '../../ledger/read-entry.ts'
import { restoreBody } from '../../ledger/restore-body.ts'
import type { Compared } from '../../page/policy.ts'
import { createReplayCall, type Unjudged } from '../../policy/replay/replay-call.ts'
import { replayLedger } from '../../policy/replay/replay-ledger.ts'
import { WHY_UNJUDGED } from '../../policy/replay/replay-report.ts'
import { recordRow } from '../../statistic/record-row.ts'
import { draftPolicy, keepsTrustOf, policyFileOf } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { needEntry } from './record-detail.ts'
import { scanBack } from './scan-entries.ts'
import { createTurns } from './turn.ts'

export interface CompareOptions {
  readonly root: string
  readonly text: string
}

const MAX_LOOKED = 50_000
const MAX_CHANGED = 200

type Change = Compared['changed'][number]

/** `last`: at most so many calls, the newest first. */
export async function compareLast(parts: PageParts, { root, text, last }: CompareOptions & { readonly last: number }): Promise<Compared> {
  const { store } = parts.ledger
  const current = parts.guards.get(root).guard
  const draft = draftPolicy(parts, root, text)
  const replay = createReplayCall()
  const changed: Change[] = []
  const counts: Record<string, number> = {}
  const unjudged: Partial<Record<Unjudged, number>> = {}
  const turn = createTurns()
  let judged = 0
  for await (const entry of listCalls(parts, { kind: 'pre_tool_use', project: root })) {
    if (draft.isBroken || judged >= last) break
    await turn()
    const found = replay(entry, await restoreBody(store, entry), { draft: draft.guard, current, against: 'current' })
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
    if (changed.length < MAX_CHANGED) changed.push({ row: recordRow(entry), before, after, rule: rule?.id ?? null, reason, count: 1 })
  }
  return { judged, changed, counts, unjudged: whyUnjudged(unjudged), lint: draft.lint }
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

export type CompareRange = Pick<EntryFilter, 'since' | 'until' | 'session' | 'actor'>

/** On threads: a range may be the whole ledger, and agents wait for this one. */
export async function compareRange(parts: PageParts, { root, text }: CompareOptions, filter: CompareRange): Promise<Compared> {
  const { store } = parts.ledger
  const { isBroken, lint } = draftPolicy(parts, root, text)
  if (isBroken) return { judged: 0, changed: [], counts: {}, unjudged: [], lint }
  const { session = null, actor = null } = filter
  const file = policyFileOf(root)
  const tally = await replayLedger({
    store,
    range: await findRange(store, filter),
    request: {
      place: parts.place,
      draft: { owner: 'project', files: [{ file, text }], isTrusted: keepsTrustOf(parts.home, file) },
      against: 'current',
      filter: { project: root, session, actor },
    },
    workers: Math.max(1, availableParallelism() - 1),
  })
  const changed: Change[] = []
  for (const { before, after, rule, count, example } of tally.groups.slice(0, MAX_CHANGED)) {
    const row = recordRow(await needEntry(store, example.seq))
    changed.push({ row, before, after, rule: rule?.id ?? null, reason: example.reason, count })
  }
  const counts = Object.fromEntries(Object.entries(tally.changed).map(([name, count]) => [name.replace('->', '>'), count]))
  return { judged: tally.judged, changed, counts, unjudged: whyUnjudged(tally.unjudged), lint }
}

function whyUnjudged(unjudged: Partial<Record<Unjudged, number>>): Compared['unjudged'] {
  return Object.entries(unjudged).map(([why, count]) => ({ count, why: WHY_UNJUDGED[why as Unjudged] }))
}
