// hooks.configChange: what was read from files is read again.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerConfigChange({ view, guarded }: HookOutcome) {
  return { ...describeState(view), ...describeVerdict(guarded), invalidated: true }
}
