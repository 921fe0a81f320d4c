import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { fixText } from './fix-text.ts'
import { lintFile } from './lint-file.ts'

const policy = (allow: string): string => `version: "2.0"\npermissions:\n  actors:\n    "agent:*":\n      allow: ${allow}\n`
const fix = (text: string) => fixText(text, lintFile(text, 'x.key', { prove: false }).findings)

test.each([
  ['in the middle', '["Bash(ls *)", "Bash(ls *)", Read]', '["Bash(ls *)", Read]'],
  ['at the end', '["Bash(ls *)", Read, "Bash(ls *)"]', '["Bash(ls *)", Read]'],
  ['in other quotes', `["Bash(ls *)", 'Bash(ls *)' , Read]`, '["Bash(ls *)", Read]'],
  ['without quotes', '[Read, Read]', '[Read]'],
  ['three times', '[Read, Read, Grep, Read]', '[Read, Grep]'],
  ['with a slip beside it', '["Bash(ls *)", "Bash(ls *)", "bash(make *)"]', '["Bash(ls *)", "Bash(make *)"]'],
  ['on lines of their own', '\n        - Read\n        - "Read"\n        - Grep', '\n        - Read\n        - Grep'],
  ['in brackets over several lines', '[\n        Read,\n        Read,\n        Grep]', '[\n        Read,\n        Grep]'],
  ['with a reason beside it: left to a person', '\n        - Read\n        - Read # for a', '\n        - Read\n        - Read # for a'],
])('a rule that stands twice, %s', (_where, before, after) => {
  const { text } = fix(policy(before))
  expect(text.replace(/\n\s*\n/g, '\n')).toBe(policy(after))
  expect(parseGenesis(text, 'x.key').ok).toBe(true)
})
