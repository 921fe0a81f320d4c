// Judges calls by a second bundle of the team, after their answers are given: only where the two differ is something recorded.
import type { GuardedCall } from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'
import { callOfEvent } from '@belay/core/policy'
import type { ProjectGuard } from '../guard/project-guard.ts'

export interface CompareOptions {
  append(draft: EntryDraft): Promise<unknown>
  /** Of the newer bundle: one more call, and whether only it denies that. */
  count(version: number, isNewDeny: boolean): void
  onFailure(error: unknown): void
}

export type ComparePolicies = (guard: ProjectGuard, guarded: GuardedCall, version: number) => void

/** More than this waits only while calls come faster than they can be judged twice: what is above it is not compared. */
const MAX_WAITING = 1000

export function createComparison({ append, count, onFailure }: CompareOptions): ComparePolicies {
  let waiting = 0
  return (guard, guarded, version) => {
    if (guard.compared === null || guarded.judgement === null || waiting >= MAX_WAITING) return
    waiting++
    setImmediate(() => {
      waiting--
      try {
        compareCall(guard, guarded, version)
      } catch (error) {
        onFailure(error)
      }
    })
  }

  function compareCall({ compared, policyHash }: ProjectGuard, { judgement, fired }: GuardedCall, version: number): void {
    const call = callOfEvent(fired.event)
    if (compared === null || judgement === null || call === null) return
    const other = compared.judge(call, fired.event)
    const [older, newer] = compared.isNewer ? [judgement, other] : [other, judgement]
    const isNewDeny = newer.verdict.decision === 'deny' && older.verdict.decision !== 'deny'
    count(compared.isNewer ? compared.version : version, isNewDeny)
    if (older.verdict.decision === newer.verdict.decision) return
    const { sessionId, actor } = fired.event
    const rule = newer.rule === null ? null : `${newer.rule.effect} ${newer.rule.text}`
    const body = {
      tool: call.tool,
      in_force: version,
      compared: compared.version,
      older: older.verdict.decision,
      newer: newer.verdict.decision,
      rule,
      reason: newer.verdict.decision === 'none' ? null : (newer.verdict.reason ?? null),
    }
    append({ actor, session: sessionId, kind: 'policy_difference', policy: policyHash, body }).catch(onFailure)
  }
}
