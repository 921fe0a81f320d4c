// genesis.key. Its hooks and rules are read by the policy parser; the tree is walked only to count what the text holds.
import type { Dialect } from '../dialect.ts'
import { claude } from './claude.ts'

export const genesis: Dialect = {
  ...claude,
  id: 'genesis',
  name: 'genesis.key',
  events: [],
  matcher: 'genesis',
  shapes: ['flat'],
  typesOn: new Map(),
  signs: { path: /(^|\/)genesis\.key$/, keys: ['genesis', 'constitution', 'guardrails'] },
}
