import { isObject } from '../value/is-object.ts'
import type { Json, Names } from './agent.ts'
import { claudeLike, hookFilesIn, sameNames } from './family.ts'

export const grok = claudeLike({
  name: 'Grok Build',
  program: 'grok',
  ownPaths: ['.grok', '/etc/grok'],
  hookPaths: [...hookFilesIn('.grok'), '.grok/requirements'],
  readPayload,
  can: { allow: false, injectOn: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop'] },
  events: {
    ...sameNames(
      'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PermissionDenied',
    ),
    // Comes in place of Stop where a turn ends without having been completed.
    StopCancelled: 'StopFailure',
  },
  tools: {
    run_terminal_command: 'Bash',
    monitor: 'Bash',
    read_file: 'Read',
    write: 'Write',
    search_replace: 'Edit',
    list_dir: 'LS',
    grep: 'Grep',
    web_search: 'WebSearch',
    web_fetch: 'WebFetch',
    spawn_subagent: 'Task',
    workflow: 'Workflow',
    todo_write: 'TodoWrite',
  },
  toolArguments: { target_file: 'file_path' },
  mcpTool: name => (/^[\w.-]+?__[\w.-]+$/.test(name) && !name.startsWith('mcp__') ? `mcp__${name}` : null),
  ownInstructions: { names: ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md'], where: 'root' },
  timeoutMs: 5000,
  sessionEndMs: 2000,
  obeysExitCode: true,
  stopCap: 8,
  // A line of Cursor's file is there for Cursor alone: Grok takes that file only where it is written as Claude writes hooks.
  borrows: ['claude-code', 'cursor'],
  hookVariable: 'GROK_HOOK_EVENT',
  isOwnPayload: ({ hookEventName, hook_event_name: event }) => typeof hookEventName === 'string' && typeof event === 'string',
  answersItself: mode => mode === 'bypassPermissions',
  trustGate: 'Project hooks run only in a trusted folder (/hooks-trust); hooks in your home always run.',
  proof: 'run',
})

/** Nearly every field stands there twice. A call whose input was cut to fit cannot be judged: it has no input then. */
function readPayload(raw: Json, nativeEvent: string): Json {
  const { hookEventName: _event, toolInputTruncated: isCut, ...fields } = raw
  const shaped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const ours = CAMEL[name]
    if (ours === undefined) shaped[name] = value
    else if (raw[ours] === undefined) shaped[ours] = value
  }
  const whole = unwrapMcp(shaped.tool_input)
  if ((isCut === true && shaped.tool_response === undefined) || whole === null) delete shaped.tool_input
  else if (whole !== undefined) shaped.tool_input = whole
  // One more Stop comes when the session ends: there is nothing left to keep it from.
  if (nativeEvent === 'Stop' && raw.reason === 'shutdown') shaped.stop_hook_active = true
  const failed = failedWith(shaped.tool_response)
  return failed === null ? shaped : { ...shaped, error: failed }
}

/**
 * Tools of MCP servers are called through `use_tool`: the name is the tool's already, the arguments stand inside. null: they stand in a file,
 * where no hook sees what is sent; undefined: it is another tool.
 */
function unwrapMcp(input: unknown): Json | null | undefined {
  if (!isObject(input) || typeof input.tool_name !== 'string') return isObject(input) && isFileOnly(input) ? null : undefined
  return isObject(input.tool_input) ? input.tool_input : null
}

const isFileOnly = (input: Json): boolean => Object.keys(input).length === 1 && typeof input.file === 'string'

const CAMEL: Names = {
  sessionId: 'session_id',
  transcriptPath: 'transcript_path',
  permissionMode: 'permission_mode',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  toolUseId: 'tool_use_id',
  toolResult: 'tool_response',
  durationMs: 'duration_ms',
  stopHookActive: 'stop_hook_active',
  lastAssistantMessage: 'last_assistant_message',
  subagentType: 'agent_type',
  notificationType: 'notification_type',
}

/** A command that ended with another code than 0 is a success to Grok; null: it was one. */
function failedWith(response: unknown): string | null {
  const code = isObject(response) && response.type === 'Bash' ? response.exit_code : 0
  return typeof code === 'number' && code !== 0 ? `exit code ${code}` : null
}
