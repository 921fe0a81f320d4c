import { type Dialect, words } from '../dialect.ts'

export const factory: Dialect = {
  id: 'factory',
  name: 'Factory Droid',
  agent: 'droid',
  events: words(
    'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest',
  ),
  json: 'strict',
  timeUnit: 's',
  matcher: 'claude',
  shapes: ['nested'],
  unwrapped: true,
  types: ['command'],
  untyped: false,
  records: ['claudeHooksImported', 'importedClaudeHooks'],
  signs: {
    path: /(^|\/)(\.factory|\.factory-plugin)\//,
    keys: ['commandAllowlist', 'commandDenylist', 'autonomyMode', 'logoAnimation', 'includeCoAuthoredByDroid', 'sessionDefaultSettings'],
    text: /DROID_PLUGIN_ROOT|FACTORY_PROJECT_DIR|\.factory\/|--cli factory/,
  },
}
