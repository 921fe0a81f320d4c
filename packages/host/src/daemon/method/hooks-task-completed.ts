// hooks.taskCompleted: kept with the effort and as a message of the session, told to coordinators; the task an effort stands for ends it.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerTaskCompleted({ view, guarded }: HookOutcome) {
  return {
    ...describeState(view),
    ...describeVerdict(guarded),
    signalled: view.facts.signalled ?? [],
    finishedEffort: view.facts.finishedEffort ?? null,
  }
}
