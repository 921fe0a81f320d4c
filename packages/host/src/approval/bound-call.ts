// A request for a person about a call, and what the decision is bound to.
import { type ApprovalQuestion, endOf, type HookEvent } from '@belay/core'
import { callOfEvent, type ToolCall } from '@belay/core/policy'
import type { AskedEvent } from './approval-queue.ts'
import type { BoundCall, NewRequest } from './open-approvals.ts'

/** What a decision about this event is bound to. */
export function boundCall(event: HookEvent): BoundCall {
  const { delivery, cwd, actor, sessionId: session } = event
  const root = delivery?.root ?? cwd
  return { root, cwd, actor, session, agentId: agentIdOf(event), tool: callOfEvent(event)?.tool ?? '', input: inputOf(event) }
}

/** What a person is asked about a call. */
export function newCall(
  { event, verdict, rule }: Pick<AskedEvent, 'event' | 'verdict' | 'rule'>,
  inputHash: string,
  expiryMs: number,
): NewRequest {
  const reason = verdict.reason ?? 'the policy asks for a person'
  const place = rule?.place === undefined ? '' : ` (${rule.place.file}:${rule.place.line})`
  return {
    ...newRequest({ event, approvers: [], reason }, inputHash, expiryMs),
    rule: rule === null ? null : `${rule.effect} ${rule.text}${place}`,
    origin: verdict.origin,
  }
}

export function newRequest({ event, approvers, reason }: Omit<ApprovalQuestion, 'expiryMs'>, inputHash: string, expiryMs: number) {
  return {
    kind: endOf(event.name) === 'turn' ? ('gate' as const) : ('call' as const),
    root: event.delivery?.root ?? event.cwd,
    agent: event.agent,
    actor: event.actor,
    agentId: agentIdOf(event),
    session: event.sessionId,
    commitment: event.commitment,
    tool: callOfEvent(event)?.tool ?? null,
    input: inputOf(event),
    inputHash,
    reason,
    rule: null,
    origin: 'hook',
    approvers,
    expiryMs,
    policyHash: event.delivery?.policyHash ?? null,
  }
}

function agentIdOf({ delivery, agent, sessionId }: HookEvent): string {
  return delivery?.agentId ?? `${agent}:${sessionId}`
}

export function inputOf(event: HookEvent): ToolCall['input'] {
  return callOfEvent(event)?.input ?? {}
}
