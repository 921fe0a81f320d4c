// A hook in a sentence for people; its label is the one that reports use.
import type { HookDefinition } from '../hook/hook-definition.ts'
import { labelHook } from '../hook/label-hook.ts'

export function describeHook(hook: HookDefinition): string {
  return `hook "${labelHook(hook)}"`
}
