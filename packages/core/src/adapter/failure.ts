// Agents that have one event for what came out of a tool, however it ended. Where they say that it failed, that is read here; where they
// say nothing it stays unknown.

import type { AgentFacts } from '../agent/agent.ts'
import { isObject } from '../value/is-object.ts'

type Json = Readonly<Record<string, unknown>>

/** The text of the error; null: nothing says that the call failed. */
export function failureOf(
  { exitCode }: Pick<AgentFacts, 'exitCode'>,
  { tool_name: tool, tool_response: response, error }: Json,
): string | null {
  if (typeof error === 'string' && error !== '') return error
  if (!isObject(response)) return null
  const told = textOf(response.error) ?? refusedResult(response)
  if (told !== null) return told
  const said = tool === 'Bash' ? exitCode?.exec(outputOf(response))?.[1] : undefined
  return said === undefined ? null : `exit code ${said}`
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
