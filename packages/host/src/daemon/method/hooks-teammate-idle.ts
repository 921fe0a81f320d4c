// hooks.teammateIdle: the teammate is done, its coordinators know.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerTeammateIdle({ view, guarded }: HookOutcome) {
  return { ...describeState(view), ...describeVerdict(guarded), signalled: view.facts.signalled ?? [] }
}
