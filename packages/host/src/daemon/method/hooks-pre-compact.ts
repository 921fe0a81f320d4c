// hooks.preCompact: whether the window ended, and whether a supervisor starts the agent anew.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerPreCompact({ view, guarded }: HookOutcome) {
  const { endedSession, runId, recoveryPrompt } = view.facts
  return {
    ...describeState(view),
    ...describeVerdict(guarded),
    ended: endedSession !== undefined && endedSession !== null,
    restart: runId !== undefined && runId !== null,
    runId: runId ?? null,
    recoveryPrompt: recoveryPrompt ?? null,
  }
}
