// hooks.permissionRequest: the decision where the policy has one, else a person is waited for.
import { describeState, describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerPermissionRequest({ view, guarded }: HookOutcome) {
  return { ...describeState(view), ...describeVerdict(guarded) }
}
