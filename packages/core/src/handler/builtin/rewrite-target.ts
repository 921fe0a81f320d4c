// Which value of an event a built-in hook rewrites, and where it is. The event's own row says what may be rewritten there.

import type { RewriteTarget } from '../../event/event-spec.ts'
import { findEvent } from '../../event/table.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HookResult } from '../../hook/hook-result.ts'
import { isObject } from '../../value/is-object.ts'

export interface FoundTarget {
  readonly target: RewriteTarget
  readonly value: unknown
}

/** Null: nothing of this kind can be rewritten on this event. */
export function findTarget(event: HookEvent, wanted?: string): FoundTarget | null {
  const rewrites = findEvent(event.name)?.rewrites ?? {}
  for (const target of ['input', 'prompt', 'output'] as const) {
    const field = rewrites[target]
    if (field !== undefined && (wanted === undefined || wanted === target)) return { target, value: event.fields[field] }
  }
  return null
}

/** Null: the value has not the type that the target needs. */
export function toRewrite(target: RewriteTarget, value: unknown): NonNullable<HookResult['rewrite']> | null {
  switch (target) {
    case 'output':
      return { output: value }
    case 'prompt':
      return typeof value === 'string' ? { prompt: value } : null
    case 'input':
      return isObject(value) ? { input: { ...value } } : null
  }
}
