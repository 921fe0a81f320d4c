// The JSON form of Belay's own hooks: Claude's shape, and the flat `{matcher, command}` beside it.
import type { Dialect } from '../dialect.ts'
import { claude } from './claude.ts'

export const belay: Dialect = {
  ...claude,
  id: 'belay',
  name: 'Belay',
  shapes: ['nested', 'flat'],
  untyped: true,
  typesOn: new Map(),
  signs: { path: /(^|\/)\.belay\/.*\.json$/ },
}
