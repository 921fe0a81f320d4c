// hooks.stop: whether the turn may end, and why it did.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerStop({ view, guarded }: HookOutcome) {
  const { rateLimit, isExhausted, recoveryPrompt, runId, signalled } = view.facts
  return {
    ...describeState(view),
    ...describeVerdict(guarded),
    rateLimited: rateLimit !== undefined && rateLimit !== null,
    resetsAt: rateLimit?.resetsAt ?? null,
    exhausted: isExhausted === true,
    restart: runId !== undefined && runId !== null,
    recoveryPrompt: recoveryPrompt ?? null,
    signalled: signalled ?? [],
  }
}
