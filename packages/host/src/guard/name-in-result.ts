// Hooks, rules and policies write `belay VERB`; an agent reads it under the name that works in its shell. The record keeps what was written.
import type { HookResult } from '@belay/core'
import { nameBelay } from '../config/own-command.ts'

export function nameInResult(result: HookResult, command: string): HookResult {
  if (command === 'belay') return result
  const { verdict, context, message, stop } = result
  const named = (text: string) => nameBelay(text, command)
  return {
    ...result,
    ...('reason' in verdict && verdict.reason !== undefined && { verdict: { ...verdict, reason: named(verdict.reason) } }),
    ...(context !== undefined && { context: named(context) }),
    ...(message !== undefined && { message: named(message) }),
    ...(stop !== undefined && { stop: { ...stop, reason: named(stop.reason) } }),
  }
}
