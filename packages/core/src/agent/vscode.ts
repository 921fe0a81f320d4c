import type { Json } from './agent.ts'
import { claudeLike, sameNames } from './family.ts'
import { renameFields } from './payload.ts'

export const vscode = claudeLike({
  name: 'VS Code',
  program: 'code',
  ownPaths: ['.vscode/settings.json', '.vscode/mcp.json', '.github/hooks', '~/.config/Code'],
  hookPaths: ['.github/hooks'],
  readPayload,
  can: { injectOn: ['SessionStart', 'PreToolUse', 'PostToolUse', 'SubagentStart', 'Stop', 'SubagentStop'] },
  events: sameNames('PreToolUse PostToolUse UserPromptSubmit SessionStart Stop SubagentStart SubagentStop PreCompact'),
  tools: {
    run_in_terminal: 'Bash',
    runInTerminal: 'Bash',
    send_to_terminal: 'Bash',
    read_file: 'Read',
    create_file: 'Write',
    replace_string_in_file: 'Edit',
    insert_edit_into_file: 'Edit',
    list_dir: 'LS',
    grep_search: 'Grep',
    file_search: 'Glob',
    fetch_webpage: 'WebFetch',
    runSubagent: 'Task',
  },
  toolArguments: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
  ownInstructions: { names: ['AGENTS.md'], where: 'root' },
  timeoutMs: 30_000,
  obeysExitCode: true,
  borrows: ['copilot', 'claude-code'],
  isOwnPayload: ({ hookEventName, hook_event_name: event }) => typeof hookEventName === 'string' && event === undefined,
  projectVariables: [],
})

function readPayload(raw: Json): Json {
  return renameFields(raw, {
    sessionId: 'session_id',
    transcriptPath: 'transcript_path',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolUseId: 'tool_use_id',
    toolResponse: 'tool_response',
    stopHookActive: 'stop_hook_active',
  })
}
