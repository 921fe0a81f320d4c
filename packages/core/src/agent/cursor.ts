import { isShallow } from '../event/is-shallow.ts'
import type { Json } from './agent.ts'
import { claudeLike, hookFilesIn } from './family.ts'
import { renameFields } from './payload.ts'

export const cursor = claudeLike({
  name: 'Cursor',
  program: 'cursor-agent',
  ownPaths: ['.cursor'],
  hookPaths: hookFilesIn('.cursor'),
  readPayload,
  answer: 'cursor',
  can: { rewriteInput: false, injectOn: ['SessionStart', 'PostToolUse'] },
  events: {
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    postToolUseFailure: 'PostToolUseFailure',
    beforeShellExecution: 'PreToolUse',
    afterShellExecution: 'PostToolUse',
    beforeMCPExecution: 'PreToolUse',
    afterMCPExecution: 'PostToolUse',
    beforeReadFile: 'PreToolUse',
    afterFileEdit: 'PostToolUse',
    beforeSubmitPrompt: 'UserPromptSubmit',
    sessionStart: 'SessionStart',
    sessionEnd: 'SessionEnd',
    stop: 'Stop',
    subagentStart: 'SubagentStart',
    subagentStop: 'SubagentStop',
    preCompact: 'PreCompact',
  },
  tools: { Shell: 'Bash', run_terminal_cmd: 'Bash', run_terminal_command: 'Bash' },
  ownInstructions: { names: ['AGENTS.md'], where: 'root' },
  timeoutMs: 60_000,
  // Only where a person has switched third-party configurations on.
  borrows: ['claude-code'],
  isOwnPayload: ({ cursor_version: version }) => typeof version === 'string',
  stopCap: 5,
  hasCallId: false,
  projectVariables: [],
})

function readPayload(raw: Json, nativeEvent: string): Json {
  const roots = Array.isArray(raw.workspace_roots) ? raw.workspace_roots : []
  const base = { ...renameFields(raw, { conversation_id: 'session_id' }), cwd: raw.cwd ?? roots[0], tool_name: mcpName(raw.tool_name) }
  if (/ShellExecution$/.test(nativeEvent))
    return { ...base, tool_name: 'Bash', tool_input: { command: raw.command }, tool_response: raw.output }
  if (nativeEvent === 'beforeReadFile') return { ...base, tool_name: 'Read', tool_input: { file_path: raw.file_path } }
  if (nativeEvent === 'afterFileEdit') return { ...base, tool_name: 'Edit', tool_input: { file_path: raw.file_path, edits: raw.edits } }
  if (/MCPExecution$/.test(nativeEvent)) {
    // What starts the server is no part of the call.
    const { command: _server, ...call } = base as Json
    return {
      ...call,
      tool_name: mcpName(raw.tool_name, true),
      tool_input: parseObject(raw.tool_input),
      tool_response: raw.result_json,
    }
  }
  return { ...base, tool_input: parseObject(raw.tool_input) }
}

/** Cursor does not say which server a tool is of. `isMcp`: the event is for such tools alone, whose names may stand there bare. */
function mcpName(name: unknown, isMcp = false): unknown {
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
