// page.rejudge: what the policy of today says about a call of the past. Only rules are asked: hooks may act on the world.
import { formatPlace } from '@belay/core'
import { restoreBody } from '../../ledger/restore-body.ts'
import type { Rejudged } from '../../page/record.ts'
import { callOfBody } from '../../policy/recorded-call.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { verdictIn } from '../../statistic/record-row.ts'
import type { PageParts } from './page-parts.ts'
import { needEntry } from './record-detail.ts'
import { judgedParts } from './record-part.ts'

export async function rejudge({ ledger: { store }, guards }: PageParts, seq: number): Promise<Rejudged> {
  const entry = await needEntry(store, seq)
  const body = await restoreBody(store, entry)
  const recorded = callOfBody(entry, body)
  if (recorded === null) throw new RpcError(RPC_REFUSED, `entry ${seq} is no tool call, so there is nothing to judge`)
  const { guard } = guards.get(recorded.root)
  const judgement = guard.judge(recorded.call, recorded.event)
  const { verdict, rule, decidedBy } = judgement
  return {
    before: verdictIn(body.verdict),
    now: verdict.decision,
    rule: rule?.id ?? null,
    place: rule?.place === undefined ? null : formatPlace(rule.place),
    reason: decidedBy?.reason ?? reasonOf(verdict),
    policy: guard.policyHash,
    isRedacted: recorded.isRedacted,
    parts: judgedParts(judgement),
  }
}

/** A verdict that no part explains. */
export function reasonOf(verdict: { readonly decision: string; readonly reason?: string | null }): string {
  return verdict.reason ?? (verdict.decision === 'none' ? 'no policy is in force here' : 'nothing would run')
}
