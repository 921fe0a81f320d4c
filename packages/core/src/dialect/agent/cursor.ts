import { type Dialect, words } from '../dialect.ts'

export const cursor: Dialect = {
  id: 'cursor',
  name: 'Cursor',
  agent: 'cursor',
  events: words(
    'preToolUse postToolUse postToolUseFailure beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile ' +
      'afterFileEdit beforeTabFileRead afterTabFileEdit beforeSubmitPrompt afterAgentResponse afterAgentThought sessionStart sessionEnd stop ' +
      'subagentStart subagentStop preCompact workspaceOpen',
  ),
  json: 'strict',
  timeUnit: 's',
  matcher: 'claude',
  shapes: ['flat'],
  unwrapped: false,
  types: ['command', 'prompt'],
  untyped: true,
  signs: {
    path: /(^|\/)(\.cursor|\.cursor-plugin)\//,
    handlerKeys: ['failClosed', 'loop_limit'],
    text: /CURSOR_|\.cursor\/|Shell\(|Mcp\(/,
  },
}
