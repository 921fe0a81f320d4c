// hooks.postToolUseFailure: the agent is in error until its next step.
import { describeState, type HookOutcome } from './hook-method.ts'

export function answerPostToolUseFailure({ view }: HookOutcome) {
  return describeState(view)
}
