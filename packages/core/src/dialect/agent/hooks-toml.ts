import type { Dialect } from '../dialect.ts'
import { claude } from './claude.ts'

export const hooksToml: Dialect = {
  ...claude,
  id: 'hooks-toml',
  name: 'hooks.toml',
  matcher: 'toml',
  shapes: ['list'],
  types: ['command', 'http'],
  untyped: true,
  typesOn: new Map(),
  signs: { path: /(^|\/)hooks\.toml$/ },
}
