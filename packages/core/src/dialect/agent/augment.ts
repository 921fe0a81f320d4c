import { type Dialect, words } from '../dialect.ts'
import { claude } from './claude.ts'

export const augment: Dialect = {
  ...claude,
  id: 'augment',
  name: 'Augment',
  events: words('PreToolUse PostToolUse SessionStart SessionEnd Stop'),
  timeUnit: 'ms',
  types: ['command'],
  typesOn: new Map(),
  signs: { path: /(^|\/)\.augment\//, keys: ['toolPermissions'], text: /AUGMENT_|\.augment\/|augmentcode/ },
}
