// What agents' files need to put a payload of their own into Claude's field names.
import { isObject } from '../value/is-object.ts'
import type { Json } from './agent.ts'

/** The payload itself where it has none of the names, which is nearly always. */
export function renameFields(raw: Json, names: Readonly<Record<string, string>>): Json {
  if (!hasAny(raw, names)) return raw
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, value]))
}

function hasAny(raw: Json, names: Readonly<Record<string, string>>): boolean {
  for (const name in names) if (Object.hasOwn(raw, name)) return true
  return false
}

/** Claude's fields, but for a few. */
export function readClaudePayload(raw: Json): Json {
  const mcp = raw.mcp_context
  const server = isObject(mcp) ? mcp.server_name : undefined
  const tool = isObject(mcp) ? mcp.tool_name : undefined
  const shaped = renameFields(raw, { prompt_response: 'last_assistant_message' })
  // Gemini's single-underscore MCP names are ambiguous; the context beside them is not.
  return typeof server === 'string' && typeof tool === 'string' ? { ...shaped, tool_name: `mcp__${server}__${tool}` } : shaped
}
