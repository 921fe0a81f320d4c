import { type Dialect, words } from '../dialect.ts'

export const qwen: Dialect = {
  id: 'qwen',
  name: 'Qwen Code',
  agent: 'qwen',
  events: words(
    'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact ' +
      'PostCompact Notification PermissionRequest PostToolBatch TodoCreated TodoCompleted',
  ),
  json: 'strict',
  timeUnit: 'ms',
  matcher: 'claude',
  shapes: ['nested'],
  unwrapped: false,
  types: ['command', 'http', 'prompt'],
  untyped: false,
  signs: { path: /(^|\/)\.qwen\//, keys: ['$version'], text: /QWEN_|\.qwen\// },
}
