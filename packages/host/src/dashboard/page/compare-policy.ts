// page.compare: which of the last recorded calls of a project would come out differently under the text on screen. Both are judged anew, by
// rules alone and on the redacted record, so that a difference is one of the text.
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { Compared } from '../../page/policy.ts'
import { callOfEntry, type RecordedCall } from '../../policy/recorded-call.ts'
import { recordRow } from '../../statistic/record-row.ts'
import { type DraftPolicy, draftPolicy } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { reasonOf } from './rejudge.ts'
import { scanBack } from './scan-entries.ts'
import { createTurns } from './turn.ts'

export interface CompareOptions {
  readonly root: string
  readonly text: string
  readonly last: number
}

const MAX_LOOKED = 50_000
const MAX_CHANGED = 200

type Change = Compared['changed'][number]

export async function comparePolicy(parts: PageParts, { root, text, last }: CompareOptions): Promise<Compared> {
  const current = parts.guards.get(root).guard
  const draft = draftPolicy(parts, root, text)
  const changed: Change[] = []
  const counts: Record<string, number> = {}
  const turn = createTurns()
  let judged = 0
  for await (const { recorded, entry } of listCalls(parts, root)) {
    if (draft.isBroken || judged >= last) break
    judged++
    await turn()
    const change = compareCall(recorded, current, draft)
    if (change === null) continue
    const name = `${change.before}>${change.after}`
    counts[name] = (counts[name] ?? 0) + 1
    if (changed.length < MAX_CHANGED) changed.push({ row: recordRow(entry), ...change })
  }
  return { judged, changed, counts, lint: draft.lint }
}

/** Newest first. */
async function* listCalls({ ledger: { store } }: PageParts, root: string) {
  let looked = 0
  for await (const step of scanBack(store, { kind: 'pre_tool_use', project: root }, (await readLastSeq(store)) + 1)) {
    for (const entry of step.entries) {
      const recorded = callOfEntry(entry)
      if (recorded !== null) yield { recorded, entry }
    }
    looked += step.looked
    if (looked >= MAX_LOOKED) return
  }
}

function compareCall({ call, event }: RecordedCall, current: ProjectGuard, draft: DraftPolicy): Omit<Change, 'row'> | null {
  const before = current.judge(call, event).verdict.decision
  const { verdict, rule, decidedBy } = draft.guard.judge(call, event)
  if (verdict.decision === before) return null
  return { before, after: verdict.decision, rule: rule?.id ?? null, reason: decidedBy?.reason ?? reasonOf(verdict) }
}
