import { type Dialect, words } from '../dialect.ts'

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
  untyped: false,
  signs: {
    path: /(^|\/)(\.claude|\.claude-plugin)\//,
    keys: ['enableAllProjectMcpServers', 'statusLine', 'allowManagedHooksOnly', 'includeCoAuthoredBy', 'slashCommands'],
    text: /CLAUDE_(PROJECT_DIR|PLUGIN_ROOT|SKILL_DIR)|\.claude\/|claude-code-settings/,
  },
}
