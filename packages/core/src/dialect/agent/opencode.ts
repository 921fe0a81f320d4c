// opencode's hooks are code (plugins); its configuration holds permission maps.
import type { Dialect } from '../dialect.ts'

export const opencode: Dialect = {
  id: 'opencode',
  name: 'opencode',
  agent: 'opencode',
  events: [],
  json: 'jsonc',
  timeUnit: 's',
  matcher: null,
  shapes: [],
  unwrapped: false,
  types: [],
  untyped: false,
  signs: {
    path: /(^|\/)(opencode\.jsonc?$|\.opencode\/|\.config\/opencode\/)/,
    keys: ['permission', 'provider', 'default_agent'],
    text: /opencode\.ai\/config/,
  },
}
