// hooks.notification: somebody should look.
import { describeState, type HookOutcome } from './hook-method.ts'

export function answerNotification({ view }: HookOutcome) {
  return describeState(view)
}
