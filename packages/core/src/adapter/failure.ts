// Agents that have one event for what came out of a tool, however it ended. Where they say that it failed, that is read here; where they
// say nothing it stays unknown.
import type { Agent } from './agent.ts'

type Json = Readonly<Record<string, unknown>>

/** The text of the error; null: nothing says that the call failed. */
export function failureOf({ id }: Agent, { tool_name: tool, tool_response: response, error }: Json): string | null {
  if (typeof error === 'string' && error !== '') return error
  if (!isObject(response)) return null
  const told = textOf(response.error) ?? refusedResult(response)
  if (told !== null) return told
  const said = tool === 'Bash' ? EXIT_CODES[id]?.exec(outputOf(response))?.[1] : undefined
  return said === undefined ? null : `exit code ${said}`
}

/** How a shell tool ends its text when the command did not end with 0. */
const EXIT_CODES: Readonly<Partial<Record<Agent['id'], RegExp>>> = {
  gemini: /\nExit Code: ([1-9]\d*)\n(?:[^\n]*\n?){0,4}$/,
  qwen: /\nExit Code: ([1-9]\d*)\n(?:[^\n]*\n?){0,4}$/,
  copilot: /completed with exit code ([1-9]\d*)>\s*$/,
}

/** Copilot's `resultType`: success, or what it was instead. */
function refusedResult(response: Json): string | null {
  const type = response.resultType ?? response.result_type
  return typeof type !== 'string' || type === 'success' ? null : outputOf(response) || type
}

function outputOf({ llmContent, textResultForLlm, text_result_for_llm: text }: Json): string {
  const output = llmContent ?? textResultForLlm ?? text
  return typeof output === 'string' ? output : ''
}

function textOf(error: unknown): string | null {
  if (isObject(error)) return textOf(error.message) ?? JSON.stringify(error)
  return typeof error === 'string' && error !== '' ? error : null
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
