import { gateOnly, hookFilesIn, sameNames } from './family.ts'
import { renameFields } from './payload.ts'

export const goose = gateOnly({
  name: 'Goose',
  program: 'goose',
  ownPaths: ['.goose', '~/.config/goose'],
  hookPaths: hookFilesIn('.goose'),
  readPayload: raw => renameFields(raw, { event: 'hook_event_name', working_dir: 'cwd', tool_call_id: 'tool_use_id' }),
  answer: 'exit-code',
  obeysExitCode: true,
  can: { blockPrompt: false, continueAtStop: true },
  events: sameNames('PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop'),
  tools: {
    developer__shell: 'Bash',
    computercontroller__automation_script: 'Bash',
    computercontroller__computer_control: 'Bash',
    developer__write: 'Write',
    developer__edit: 'Edit',
    developer__text_editor: 'Edit',
    developer__tree: 'LS',
  },
  toolArguments: { path: 'file_path', file_text: 'content', script: 'command' },
  mcpTool: name => (/^[^_].*__./.test(name) && !name.startsWith('mcp__') ? `mcp__${name}` : null),
  timeoutMs: 30_000,
})
