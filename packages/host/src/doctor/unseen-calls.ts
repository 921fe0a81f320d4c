// Calls that stand in an agent's transcript and not in the ledger: the agent did something without asking us.

import { type AgentId, canonicalTool, findAgent } from '@belay/core/adapter'
import { isObject } from '@belay/core/value'

export interface TranscriptCall {
  readonly id: string
  /** As the agent calls it. */
  readonly tool: string
  readonly line: number
}

export interface Transcript {
  readonly calls: readonly TranscriptCall[]
  /** As the agent names them; one, unless it was resumed. */
  readonly sessions: readonly string[]
}

/** A call that the ledger has, before it ran. */
export interface SeenCall {
  readonly agent: string
  readonly tool: string
  readonly rawTool: string | null
  /** Null: the agent gives its hooks none. */
  readonly id: string | null
}

/** One JSON object a line, as Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI and pi write them. */
export function readTranscript(text: string): Transcript {
  const calls = new Map<string, TranscriptCall>()
  const sessions = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    walk(parseLine(line), value => {
      const session = sessionIn(value)
      if (session !== null) sessions.add(session)
      const call = callIn(value)
      if (call !== null && !calls.has(call.id)) calls.set(call.id, { ...call, line: index + 1 })
    })
  }
  return { calls: [...calls.values()], sessions: [...sessions] }
}

/** By their ids; where the agent has others in its transcript than for its hooks, each call takes one of the same tool. */
export function findUnseen(calls: readonly TranscriptCall[], seen: readonly SeenCall[]): readonly TranscriptCall[] {
  const ids = new Set(calls.map(({ id }) => id))
  const known = new Set(seen.map(({ id }) => id))
  const rest = seen.filter(({ id }) => id === null || !ids.has(id))
  return calls.filter(({ id, tool }) => {
    if (known.has(id)) return false
    const index = rest.findIndex(call => isSameTool(call, tool))
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
}

function isSameTool({ agent, tool, rawTool }: SeenCall, name: string): boolean {
  return name === (rawTool ?? tool) || (findAgent(agent) !== null && canonicalTool(agent as AgentId, name) === tool)
}

type Json = Readonly<Record<string, unknown>>

/** In the words of each agent. */
function callIn({ type, id, call_id: callId, toolCallId, name, toolName, functionCall, args }: Json): Omit<TranscriptCall, 'line'> | null {
  if (type === 'tool_use' || type === 'toolCall') return call(id, name)
  if (type === 'function_call' || type === 'custom_tool_call') return isCode(type, name) ? null : call(callId, name)
  if (toolCallId !== undefined && (name ?? toolName) !== undefined) return call(toolCallId, name ?? toolName)
  if (isObject(functionCall)) return call(functionCall.id, functionCall.name)
  return isObject(args) ? call(id, name) : null
}

/** Codex in JavaScript mode: the calls that the code makes come to us one by one; the code itself, and waiting for it, is none. */
function isCode(type: string, name: unknown): boolean {
  return type === 'custom_tool_call' ? name === 'exec' : name === 'wait'
}

function call(id: unknown, tool: unknown): Omit<TranscriptCall, 'line'> | null {
  return typeof id === 'string' && typeof tool === 'string' ? { id, tool } : null
}

function sessionIn({ sessionId, session_id: session, type, payload }: Json): string | null {
  const named = sessionId ?? session ?? (type === 'session_meta' && isObject(payload) ? payload.id : undefined)
  return typeof named === 'string' ? named : null
}

/** What a tool was given or gave back may look like a call, and is none. */
const CONTENT = new Set(['input', 'args', 'arguments', 'result', 'output', 'tool_response', 'toolUseResult', 'functionCall'])

function walk(value: unknown, visit: (value: Json) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit)
  } else if (isObject(value)) {
    visit(value)
    for (const [key, inner] of Object.entries(value)) if (!CONTENT.has(key)) walk(inner, visit)
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
