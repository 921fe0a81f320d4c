// hooks.sessionEnd: the window that ended.
import { describeState, type HookOutcome } from './hook-method.ts'

export function answerSessionEnd({ view }: HookOutcome) {
  return {
    ...describeState(view),
    ended: view.facts.endedSession !== undefined && view.facts.endedSession !== null,
    signalled: view.facts.signalled ?? [],
  }
}
