import { type Dialect, words } from '../dialect.ts'

export const codex: Dialect = {
  id: 'codex',
  name: 'Codex',
  agent: 'codex',
  events: words(
    'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact PermissionRequest notify',
  ),
  canonical: { notify: 'Notification' },
  json: 'strict',
  timeUnit: 's',
  matcher: 'codex',
  shapes: ['nested', 'notify'],
  unwrapped: false,
  types: ['command'],
  untyped: false,
  signs: {
    path: /(^|\/)(\.codex|\.codex-plugin)\//,
    keys: ['notify', 'model_providers', 'approval_policy'],
    handlerKeys: ['commandWindows', 'command_windows'],
    text: /\bCODEX_(HOME|PLUGIN_ROOT)|\.codex\/|--(cli|tool)[ =]codex/,
  },
}
