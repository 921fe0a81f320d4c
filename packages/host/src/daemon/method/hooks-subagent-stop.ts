// hooks.subagentStop: the sub-agent's window ended; what it read belongs to the effort.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerSubagentStop({ view, guarded }: HookOutcome) {
  const { endedSession } = view.facts
  return { ...describeState(view), ...describeVerdict(guarded), ended: endedSession !== undefined && endedSession !== null }
}
