import { type Dialect, words } from '../dialect.ts'
import { claude } from './claude.ts'

export const iflow: Dialect = {
  ...claude,
  id: 'iflow',
  name: 'iFlow',
  events: words('PreToolUse PostToolUse SetUpEnvironment Stop SubagentStop SessionStart SessionEnd UserPromptSubmit Notification'),
  types: ['command'],
  typesOn: new Map(),
  signs: { path: /(^|\/)\.iflow\//, text: /IFLOW_|\.iflow\// },
}
