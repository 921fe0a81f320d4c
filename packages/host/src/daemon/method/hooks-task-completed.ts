// hooks.taskCompleted: kept as a message of the session, told to coordinators.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerTaskCompleted({ view, guarded }: HookOutcome) {
  return { ...describeState(view), ...describeVerdict(guarded), signalled: view.facts.signalled ?? [] }
}
