// Copilot takes its own camelCase events and Claude's names, flat handlers and Claude's groups.
import { type Dialect, words } from '../dialect.ts'

export const copilot: Dialect = {
  id: 'copilot',
  name: 'Copilot CLI',
  agent: 'copilot',
  events: words(
    'preToolUse postToolUse postToolUseFailure userPromptSubmitted sessionStart sessionEnd agentStop subagentStart subagentStop preCompact ' +
      'notification permissionRequest errorOccurred PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop ' +
      'SubagentStart SubagentStop PreCompact Notification PermissionRequest ErrorOccurred',
  ),
  json: 'strict',
  timeUnit: 's',
  matcher: 'copilot',
  shapes: ['flat', 'nested'],
  unwrapped: false,
  types: ['command', 'http', 'prompt'],
  untyped: true,
  signs: {
    path: /(^|\/)(\.github\/(hooks|copilot)|\.copilot)\//,
    handlerKeys: ['bash', 'powershell', 'timeoutSec'],
    text: /\.github\/hooks|COPILOT_|--cli copilot/,
  },
}
