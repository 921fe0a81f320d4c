// An agent's native payload -> one shape: Claude's field names, canonical event, canonical tool call. The raw call is kept beside it.
// Never throws; what a payload lacks stays absent, so that validation at the edge can say so.

import type { AnswerFormat, Json } from '../agent/agent.ts'
import type { Agent } from '../agent/agents.ts'
import { readClaudePayload } from '../agent/payload.ts'
import { isObject } from '../value/is-object.ts'
import { canonicalEvent } from './event-name.ts'
import { failureOf } from './failure.ts'
import { canonicalCall } from './tool-name.ts'

export interface DecodedEvent {
  readonly agent: Agent
  /** Canonical name, or the agent's own where there is none. */
  readonly event: string
  /** What the agent takes it for: PostToolUse also where the tool failed, for agents with one event for both. The answer is spelled for it. */
  readonly answerEvent: string
  /** As the agent calls it; the answer must be in these terms. */
  readonly nativeEvent: string
  /** Claude's snake_case envelope. */
  readonly payload: Json
  /** The tool call as the agent spelled it, when there is one. */
  readonly rawTool: { readonly name: string; readonly input: unknown } | null
  /** The agent whose hook line it came through, where that is another. */
  readonly line?: Agent
  /** The forms that the answer is spelled in, where that is not the agent's own alone. */
  readonly spelling?: readonly AnswerFormat[]
  /** Neither the agent of the line nor a host that is known to read it. */
  readonly isUnknownHost?: true
}

export function decodeEvent(agent: Agent, nativeEvent: string, raw: Json): DecodedEvent {
  const answerEvent = canonicalEvent(agent.id, nativeEvent)
  const shaped = (agent.readPayload ?? readClaudePayload)(raw, nativeEvent)
  const { tool_name: name, tool_input: input } = shaped
  const payload: Record<string, unknown> = { ...shaped, hook_event_name: answerEvent }
  if (shaped.session_id === undefined && !agent.hasSession) payload.session_id = `${agent.id} ${shaped.cwd ?? ''}`.trim()
  if (typeof name !== 'string') return { agent, event: answerEvent, answerEvent, nativeEvent, payload, rawTool: null }
  if (isObject(input)) {
    const call = canonicalCall(agent.id, name, input)
    payload.tool_name = call.tool
    payload.tool_input = call.input
  }
  const error = answerEvent === 'PostToolUse' ? failureOf(agent, payload) : null
  if (error !== null) {
    payload.hook_event_name = 'PostToolUseFailure'
    payload.error = error
  }
  const event = error === null ? answerEvent : 'PostToolUseFailure'
  return { agent, event, answerEvent, nativeEvent, payload, rawTool: { name, input } }
}
