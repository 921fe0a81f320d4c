// When two hooks are the same hook: they do the same thing on the same occasions. Name and place do not count.
import type { HookDefinition } from './hook-definition.ts'

export function identifyHook({ name: _name, place: _place, statusMessage: _message, ...hook }: HookDefinition): string {
  const { handler, matcher, ...rest } = hook
  return JSON.stringify([identifyMatcher(matcher), handler.type === 'inline' ? identifyFunction(handler.run) : handler, rest], sortKeys)
}

function identifyMatcher(matcher: HookDefinition['matcher']): unknown {
  if (matcher instanceof RegExp) return ['regex', matcher.source, matcher.flags]
  return typeof matcher === 'function' ? identifyFunction(matcher) : (matcher ?? null)
}

const functions = new WeakMap<object, number>()
let count = 0

function identifyFunction(fn: object): number {
  const known = functions.get(fn)
  if (known !== undefined) return known
  count += 1
  functions.set(fn, count)
  return count
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1)))
}
