import type { Json } from './agent.ts'
import { claudeLike, hookFilesIn, LOWER_TOOLS, sameNames } from './family.ts'
import { renameFields } from './payload.ts'

export const copilot = claudeLike({
  name: 'Copilot CLI',
  program: 'copilot',
  ownPaths: ['.copilot', '.github/hooks', '~/.config/github-copilot'],
  hookPaths: [...hookFilesIn('.copilot'), '.github/hooks'],
  readPayload,
  answer: 'copilot',
  can: { replaceOutput: true, injectOn: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'] },
  events: {
    ...sameNames(
      'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest',
    ),
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    postToolUseFailure: 'PostToolUseFailure',
    userPromptSubmitted: 'UserPromptSubmit',
    sessionStart: 'SessionStart',
    sessionEnd: 'SessionEnd',
    agentStop: 'Stop',
    subagentStart: 'SubagentStart',
    subagentStop: 'SubagentStop',
    preCompact: 'PreCompact',
    notification: 'Notification',
    permissionRequest: 'PermissionRequest',
  },
  tools: { ...LOWER_TOOLS, powershell: 'Bash', write_bash: 'Bash', write_powershell: 'Bash' },
  toolArguments: { path: 'file_path', file_text: 'content', old_str: 'old_string', new_str: 'new_string', input: 'command' },
  exitCode: /completed with exit code ([1-9]\d*)>\s*$/,
  mcpTool: name => (/^[\w.-]+\/[\w.-]+$/.test(name) ? `mcp__${name.replace('/', '__')}` : null),
  ownInstructions: { names: ['AGENTS.md', 'CLAUDE.md'], where: 'root' },
  timeoutMs: 30_000,
  obeysExitCode: true,
  stopCap: 8,
  joinsMcpNames: true,
  hasCallId: false,
  trustGate: 'Repository hooks need a trusted folder; hooks in your home always run.',
  proof: 'run',
})

function readPayload(raw: Json): Json {
  const shaped = renameFields(raw, {
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
