// The tool call that an event is about: the one way from an event to what rules judge.

import type { HookEvent } from '../hook/hook-event.ts'
import { isObject } from '../value/is-object.ts'
import type { ToolCall } from './judgement.ts'

/** null: the event names no tool, so there is nothing that a rule could say of it. Input that is not an object counts as empty. */
export function callOfEvent({ fields }: Pick<HookEvent, 'fields'>): ToolCall | null {
  const { toolName, toolInput, toolKind } = fields
  if (typeof toolName !== 'string') return null
  const call = { tool: toolName, input: isObject(toolInput) ? toolInput : {} }
  return typeof toolKind === 'string' ? { ...call, kind: toolKind } : call
}
