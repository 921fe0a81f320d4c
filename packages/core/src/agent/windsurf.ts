import { isObject } from '../value/is-object.ts'
import type { Json } from './agent.ts'
import { gateOnly, hookFilesIn } from './family.ts'
import { renameFields } from './payload.ts'

export const windsurf = gateOnly({
  name: 'Windsurf',
  ownPaths: ['.windsurf', '.codeium', '/etc/windsurf'],
  hookPaths: hookFilesIn('.windsurf'),
  readPayload,
  answer: 'exit-code',
  obeysExitCode: true,
  events: {
    pre_run_command: 'PreToolUse',
    pre_write_code: 'PreToolUse',
    pre_read_code: 'PreToolUse',
    pre_mcp_tool_use: 'PreToolUse',
    post_run_command: 'PostToolUse',
    post_write_code: 'PostToolUse',
    post_read_code: 'PostToolUse',
    post_mcp_tool_use: 'PostToolUse',
    pre_user_prompt: 'UserPromptSubmit',
    post_cascade_response: 'Stop',
  },
  tools: { run_command: 'Bash' },
  toolArguments: { command_line: 'command', CommandLine: 'command' },
  timeUnit: null,
  timeoutMs: 30_000,
  hasCallId: false,
})

const TOOLS: Readonly<Record<string, string>> = { run_command: 'Bash', write_code: 'Write', read_code: 'Read' }

function readPayload(raw: Json, nativeEvent: string): Json {
  const info = isObject(raw.tool_info) ? raw.tool_info : {}
  const base = { ...renameFields(raw, { trajectory_id: 'session_id', agent_action_name: 'hook_event_name' }), cwd: info.cwd ?? raw.cwd }
  if (/user_prompt$/.test(nativeEvent)) return { ...base, prompt: info.user_prompt ?? raw.prompt }
  if (/mcp_tool_use$/.test(nativeEvent)) {
    return { ...base, tool_name: `mcp__${info.mcp_server_name}__${info.mcp_tool_name}`, tool_input: info.mcp_tool_arguments ?? {} }
  }
  const tool = TOOLS[nativeEvent.replace(/^(pre|post)_/, '')]
  if (tool === undefined) return base
  const input = tool === 'Bash' ? { command: info.command_line } : { file_path: info.file_path, edits: info.edits }
  return { ...base, tool_name: tool, tool_input: withoutUndefined(input), tool_response: info.output }
}

function withoutUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))
}
