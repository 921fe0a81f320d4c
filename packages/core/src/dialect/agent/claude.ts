import { type Dialect, words } from '../dialect.ts'

/** No model is asked about these, and no server before the session stands. */
const QUIET = words(
  'StopFailure SubagentStart PreCompact PostCompact SessionEnd Notification MessageDisplay InstructionsLoaded CwdChanged FileChanged ' +
    'DirectoryAdded ConfigChange Elicitation ElicitationResult WorktreeCreate WorktreeRemove',
)
const EARLY = words('SessionStart Setup')

export const claude: Dialect = {
  id: 'claude',
  name: 'Claude Code',
  agent: 'claude-code',
  events: words(
    'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification ' +
      'PermissionRequest TeammateIdle TaskCompleted ConfigChange Setup UserPromptExpansion PermissionDenied PostToolBatch StopFailure PostCompact ' +
      'InstructionsLoaded CwdChanged FileChanged DirectoryAdded PreModelSwitch PostModelSwitch TaskCreated Elicitation ElicitationResult ' +
      'WorktreeCreate WorktreeRemove MessageDisplay',
  ),
  json: 'strict',
  timeUnit: 's',
  matcher: 'claude',
  shapes: ['nested'],
  unwrapped: false,
  types: ['command', 'http', 'mcp_tool', 'prompt', 'agent'],
  typesOn: new Map<string, readonly string[]>([
    ...QUIET.map(event => [event, ['command', 'http', 'mcp_tool']] as const),
    ...EARLY.map(event => [event, ['command', 'mcp_tool']] as const),
  ]),
  untyped: false,
  signs: {
    path: /(^|\/)(\.claude|\.claude-plugin)\//,
    keys: ['enableAllProjectMcpServers', 'statusLine', 'allowManagedHooksOnly', 'includeCoAuthoredBy', 'slashCommands'],
    text: /CLAUDE_(PROJECT_DIR|PLUGIN_ROOT|SKILL_DIR)|\.claude\/|claude-code-settings/,
  },
}
