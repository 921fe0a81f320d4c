// One event under the guard of its session's project, and under those of projects entered since, which can only add rules.
import { type FireOptions, fold, type GuardedCall, type HookEvent } from '@belay/core'
import { callOfEvent } from '@belay/core/policy'
import type { ProjectGuard } from './project-guard.ts'

export interface GuardsInForce {
  readonly guard: ProjectGuard
  readonly enteredGuards: readonly ProjectGuard[]
}

/** No promise where nothing has to be waited for. */
export function guardEvent(
  { guard, enteredGuards }: GuardsInForce,
  event: HookEvent,
  options?: FireOptions,
): GuardedCall | Promise<GuardedCall> {
  const guarded = guard.guard(event, options)
  if (enteredGuards.length === 0) return guarded
  return guarded instanceof Promise ? guarded.then(made => tighten(made, enteredGuards, event)) : tighten(guarded, enteredGuards, event)
}

function tighten(guarded: GuardedCall, enteredGuards: readonly ProjectGuard[], event: HookEvent): GuardedCall {
  const call = callOfEvent(guarded.fired.event)
  if (guarded.judgement === null || call === null) return guarded
  let strictest = guarded
  for (const other of enteredGuards) {
    const judgement = other.judge(call, event)
    const { verdict } = judgement
    const isFirm = verdict.decision === 'deny' || (verdict.decision === 'ask' && verdict.origin !== 'default')
    // Of two that are equally strict the first stands, with its reason.
    if (isFirm && fold([strictest.verdict, verdict]) === verdict) strictest = { ...guarded, verdict, judgement }
  }
  return strictest
}
