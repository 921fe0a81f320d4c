// One line of the run report.
import type { HandlerRun, Outcome } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { HookRun } from './fire-result.ts'

/** By performance.now(). */
export interface RunTimes {
  readonly startedAt: number
  readonly endedAt: number
}

/** `verdict` is what the run contributed. */
export function reportRun(hook: RegisteredHook, run: HandlerRun, verdict: Verdict, { startedAt, endedAt }: RunTimes): HookRun {
  const { definition } = hook
  const durationMs = endedAt - startedAt
  const report: { -readonly [K in keyof HookRun]: HookRun[K] } = {
    hook: hook.label,
    scope: hook.scope,
    handler: definition.handler.type,
    outcome: outcomeOf(run, verdict),
    verdict,
    startedMs: performance.timeOrigin + startedAt,
    durationMs,
  }
  if (definition.place !== undefined) report.place = definition.place
  if (definition.budgetMs !== undefined && durationMs > definition.budgetMs) report.overBudget = true
  if (run.detail !== undefined) report.detail = run.detail
  if (run.kind === 'detached') report.detached = true
  if (run.kind === 'failed' || run.kind === 'cancelled') report.error = run.why
  if (run.kind === 'failed' && run.code !== undefined) report.code = run.code
  return report
}

/** A failure that denied is blocking; calling it a non-blocking error would be untrue. */
export function outcomeOf(run: HandlerRun, verdict: Verdict): Outcome {
  if (run.kind === 'cancelled') return 'cancelled'
  if (verdict.decision === 'deny') return 'blocking'
  return run.kind === 'failed' ? 'non_blocking_error' : 'success'
}
