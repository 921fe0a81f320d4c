// An agent's native payload -> one shape: Claude's field names, canonical event, canonical tool call. The raw call is kept beside it.
// Never throws; what a payload lacks stays absent, so that validation at the edge can say so.
import { isShallow } from '../event/is-shallow.ts'
import type { Agent } from './agent.ts'
import { canonicalEvent } from './event-name.ts'
import { failureOf } from './failure.ts'
import { canonicalCall } from './tool-name.ts'

type Json = Readonly<Record<string, unknown>>

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
}

export function decodeEvent(agent: Agent, nativeEvent: string, raw: Json): DecodedEvent {
  const answerEvent = canonicalEvent(agent.id, nativeEvent)
  const shaped = SHAPES[agent.payload](raw, nativeEvent)
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

type Shape = (raw: Json, nativeEvent: string) => Json

const SHAPES: Readonly<Record<Agent['payload'], Shape>> = {
  claude: claudeShape,
  copilot: copilotShape,
  cursor: cursorShape,
  windsurf: windsurfShape,
  goose: raw => rename(raw, { event: 'hook_event_name', working_dir: 'cwd', tool_call_id: 'tool_use_id' }),
  cline: clineShape,
}

/** Claude, Codex, Gemini, Qwen, Droid, Continue, Kiro: the same names but for a few. */
function claudeShape(raw: Json): Json {
  const mcp = raw.mcp_context
  const server = isObject(mcp) ? mcp.server_name : undefined
  const tool = isObject(mcp) ? mcp.tool_name : undefined
  const shaped = rename(raw, { prompt_response: 'last_assistant_message' })
  // Gemini's single-underscore MCP names are ambiguous; the context beside them is not.
  return typeof server === 'string' && typeof tool === 'string' ? { ...shaped, tool_name: `mcp__${server}__${tool}` } : shaped
}

function copilotShape(raw: Json): Json {
  const shaped = rename(raw, {
    sessionId: 'session_id',
    toolName: 'tool_name',
    toolArgs: 'tool_input',
    toolInput: 'tool_input',
    toolResult: 'tool_response',
    tool_result: 'tool_response',
    transcriptPath: 'transcript_path',
    stopReason: 'stop_reason',
    initialPrompt: 'initial_prompt',
    permissionSuggestions: 'permission_suggestions',
    hookName: 'hook_event_name',
  })
  return shaped.source === 'new' ? { ...shaped, source: 'startup' } : shaped
}

function cursorShape(raw: Json, nativeEvent: string): Json {
  const roots = Array.isArray(raw.workspace_roots) ? raw.workspace_roots : []
  const base = { ...rename(raw, { conversation_id: 'session_id' }), cwd: raw.cwd ?? roots[0], tool_name: cursorMcpName(raw.tool_name) }
  if (/ShellExecution$/.test(nativeEvent))
    return { ...base, tool_name: 'Bash', tool_input: { command: raw.command }, tool_response: raw.output }
  if (nativeEvent === 'beforeReadFile') return { ...base, tool_name: 'Read', tool_input: { file_path: raw.file_path } }
  if (nativeEvent === 'afterFileEdit') return { ...base, tool_name: 'Edit', tool_input: { file_path: raw.file_path, edits: raw.edits } }
  if (/MCPExecution$/.test(nativeEvent)) {
    return {
      ...base,
      tool_name: cursorMcpName(raw.tool_name, true),
      tool_input: parseObject(raw.tool_input),
      tool_response: raw.result_json,
    }
  }
  return { ...base, tool_input: parseObject(raw.tool_input) }
}

const WINDSURF_TOOLS: Readonly<Record<string, string>> = { run_command: 'Bash', write_code: 'Write', read_code: 'Read' }

function windsurfShape(raw: Json, nativeEvent: string): Json {
  const info = isObject(raw.tool_info) ? raw.tool_info : {}
  const base = { ...rename(raw, { trajectory_id: 'session_id', agent_action_name: 'hook_event_name' }), cwd: info.cwd ?? raw.cwd }
  if (/user_prompt$/.test(nativeEvent)) return { ...base, prompt: info.user_prompt ?? raw.prompt }
  if (/mcp_tool_use$/.test(nativeEvent)) {
    return { ...base, tool_name: `mcp__${info.mcp_server_name}__${info.mcp_tool_name}`, tool_input: info.mcp_tool_arguments ?? {} }
  }
  const tool = WINDSURF_TOOLS[nativeEvent.replace(/^(pre|post)_/, '')]
  if (tool === undefined) return base
  const input = tool === 'Bash' ? { command: info.command_line } : { file_path: info.file_path, edits: info.edits }
  return { ...base, tool_name: tool, tool_input: withoutUndefined(input), tool_response: info.output }
}

function clineShape(raw: Json): Json {
  const roots = Array.isArray(raw.workspaceRoots) ? raw.workspaceRoots : []
  const base = { ...rename(raw, { taskId: 'session_id', hookName: 'hook_event_name' }), cwd: raw.cwd ?? roots[0] }
  const call = [raw.tool_call, raw.tool_result, raw.preToolUse, raw.postToolUse].find(isObject)
  const prompt = isObject(raw.userPromptSubmit) ? raw.userPromptSubmit.prompt : raw.prompt
  if (call === undefined) return prompt === undefined ? base : { ...base, prompt }
  return {
    ...base,
    tool_name: call.name ?? call.toolName,
    tool_input: call.input ?? call.parameters,
    tool_use_id: call.id,
    tool_response: call.output ?? call.result,
    ...(call.error === undefined ? {} : { error: call.error }),
  }
}

/** Cursor does not say which server a tool is of. `isMcp`: the event is for such tools alone, whose names may stand there bare. */
function cursorMcpName(name: unknown, isMcp = false): unknown {
  if (typeof name !== 'string' || !(isMcp || name.startsWith('MCP:'))) return name
  return `mcp__cursor__${name.replace(/^MCP:/, '')}`
}

/** Cursor sends MCP arguments as JSON in a string. What does not parse, or is nested too deeply, stays as it is, for validation to name. */
function parseObject(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isShallow(parsed) ? parsed : value
  } catch {
    return value
  }
}

/** The payload itself where it has none of the names, which is nearly always. */
function rename(raw: Json, names: Readonly<Record<string, string>>): Json {
  if (!hasAny(raw, names)) return raw
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, value]))
}

function hasAny(raw: Json, names: Readonly<Record<string, string>>): boolean {
  for (const name in names) if (Object.hasOwn(raw, name)) return true
  return false
}

function withoutUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
