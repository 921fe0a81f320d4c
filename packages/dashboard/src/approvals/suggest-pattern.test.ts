import { expect, test } from 'vitest'
import { suggestPattern } from './suggest-pattern.ts'

test.each([
  ['Bash', 'npm test -- --watch', 'Bash(npm test *)'],
  ['Bash', 'npm test', 'Bash(npm test *)'],
  ['Bash', 'ls', 'Bash(ls)'],
  ['Bash', 'cat a && rm b', 'Bash(cat a && rm b)'],
  ['Bash', 'echo $(id)', 'Bash(echo $(id))'],
  ['WebSearch', null, 'WebSearch(*)'],
  [null, 'x', ''],
])('%s %s: %s', (tool, command, pattern) => {
  expect(suggestPattern(tool, command)).toBe(pattern)
})
