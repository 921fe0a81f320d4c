// Hooks, rules and policies write `belay VERB`; an agent reads it under the name that works in its shell. The record keeps what was written.
import type { HookEvent, HookResult } from '@belay/core'
import { nameBelay, namesBelay } from '../config/name-belay.ts'

/** `findCommand` is asked only where a text names Belay. */
export function nameInResult(result: HookResult, { fields }: Pick<HookEvent, 'fields'>, findCommand: () => string): HookResult {
  const { verdict, context, message, stop } = result
  const reason = 'reason' in verdict ? verdict.reason : undefined
  if (![reason, context, message, stop?.reason].some(text => text !== undefined && namesBelay(text))) return result
  const command = findCommand()
  const given = quotable(fields.toolInput)
  const named = (text: string) => nameBelay(text, command, given)
  return {
    ...result,
    ...('reason' in verdict && verdict.reason !== undefined && { verdict: { ...verdict, reason: named(verdict.reason) } }),
    ...(context !== undefined && { context: named(context) }),
    ...(message !== undefined && { message: named(message) }),
    ...(stop !== undefined && { stop: { ...stop, reason: named(stop.reason) } }),
  }
}

/** What a refusal may quote of a call. */
function quotable(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  return Object.values(input)
    .filter(value => typeof value === 'string')
    .join('\n')
}
