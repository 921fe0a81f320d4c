// page.tryRecorded: recorded calls under the text on screen, by rules alone and on the redacted record.
import type { TriedRecord } from '../../page/policy.ts'
import { callOfEntry } from '../../policy/recorded-call.ts'
import type { Params } from '../../rpc/param.ts'
import { recordRow } from '../../statistic/record-row.ts'
import type { DraftPolicy } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { invalid } from './read-filter.ts'
import { needEntry } from './record-detail.ts'
import { reasonOf } from './rejudge.ts'

const MOST = 50

export function readSeqs({ seqs }: Params): readonly number[] {
  if (!Array.isArray(seqs) || !seqs.every(seq => Number.isInteger(seq) && seq > 0))
    throw invalid('seqs must be a list of numbers of entries.')
  return seqs.slice(0, MOST)
}

export async function tryRecorded(
  { ledger: { store } }: Pick<PageParts, 'ledger'>,
  { guard }: DraftPolicy,
  seqs: readonly number[],
): Promise<{ readonly calls: readonly TriedRecord[] }> {
  const calls: TriedRecord[] = []
  for (const seq of seqs) {
    const entry = await needEntry(store, seq)
    const recorded = callOfEntry(entry)
    if (recorded === null) continue
    const { verdict, rule, decidedBy } = guard.judge(recorded.call, recorded.event)
    const reason = decidedBy?.reason ?? reasonOf(verdict)
    calls.push({ row: recordRow(entry), now: verdict.decision, by: rule?.text ?? null, reason })
  }
  return { calls }
}
