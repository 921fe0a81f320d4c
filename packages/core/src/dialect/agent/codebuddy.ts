import type { Dialect } from '../dialect.ts'
import { claude } from './claude.ts'

export const codebuddy: Dialect = {
  ...claude,
  id: 'codebuddy',
  name: 'CodeBuddy',
  signs: { path: /(^|\/)(\.codebuddy|\.codebuddy-plugin)\//, text: /CODEBUDDY_|\.codebuddy\// },
}
