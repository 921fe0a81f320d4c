// The result of an MCP tool with what hooks said about it: another output in its place, notes for the model behind it.

import { isObject } from '@belay/core/value'
import type { AfterCall } from './call-judge.ts'
import { type Json, textBlock } from './message.ts'

/** null: it stays as it came. */
export function applyAfter(result: Json, context: string | null, { output, notes, isDenied }: AfterCall): Json | null {
  const added = [...(context === null ? [] : [context]), ...notes]
  if (output === null && added.length === 0) return null
  const base = output === null ? result : resultOf(output.value, result)
  const content = Array.isArray(base.content) ? base.content : []
  return { ...base, content: [...content, ...added.map(textBlock)], ...(isDenied ? { isError: true } : {}) }
}

/** A hook may give a whole result, or only what to say instead. */
function resultOf(output: unknown, result: Json): Json {
  if (isObject(output) && Array.isArray(output.content)) return output
  const { structuredContent: _replaced, ...rest } = result
  return { ...rest, content: [textBlock(typeof output === 'string' ? output : JSON.stringify(output))] }
}

/** Errors have no content to add to. */
export function withMessage(message: Json, notes: readonly string[]): Json {
  const error = isObject(message.error) ? message.error : {}
  return { ...message, error: { ...error, message: [String(error.message ?? ''), ...notes].join('\n') } }
}

export function errorText({ content }: Json): string {
  const texts = (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isObject(block) && typeof block.text === 'string' ? [block.text] : [],
  )
  return texts.length === 0 ? 'the tool failed' : texts.join('\n')
}
