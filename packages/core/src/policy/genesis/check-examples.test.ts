import { expect, test } from 'vitest'
import { parseGenesis } from './parse-genesis.ts'

function errorsOf(effect: string, rule: Record<string, unknown>): string[] {
  const text = `version: "2.0"\npermissions: ${JSON.stringify({ actors: { a: { [effect]: [rule] } } })}\n`
  const parsed = parseGenesis(text, 'genesis.key')
  return parsed.ok ? [] : parsed.errors.map(error => error.message)
}

test.each<[string, string, Record<string, unknown>, string[]]>([
  [
    'a deny that catches its examples',
    'deny',
    { rule: 'Bash(rm -rf *)', match: ['rm -rf x', 'cd /tmp && rm -fr y'], not_match: ['rm x'] },
    [],
  ],
  [
    'a deny that misses one',
    'deny',
    { rule: 'Bash(git push *)', match: ['git pull'] },
    ['the deny rule "Bash(git push *)" should match "git pull", but it does not'],
  ],
  [
    'a deny that catches too much',
    'deny',
    { rule: 'Bash(git *)', not_match: ['git status', 'ls'] },
    ['the deny rule "Bash(git *)" should not match "git status", but it does'],
  ],
  [
    'a deny that depends on the shell',
    'deny',
    { rule: 'Bash(git push *)', not_match: ['git $X'] },
    ['the deny rule "Bash(git push *)" should not match "git $X", but it may'],
  ],
  [
    'an allow matches what it lets through alone',
    'allow',
    { rule: 'Bash(git *)', match: ['git status'], not_match: ['git status && ls'] },
    [],
  ],
  ['paths', 'ask', { rule: 'Write(src/*)', match: ['src/a/b.ts', '/repo/src/x'], not_match: ['/etc/src/x'] }, []],
  ['several tools', 'deny', { rule: 'Write|Edit', match: ['a.ts'] }, []],
  ['a list is expected', 'deny', { rule: 'Write', match: 'a.ts' }, ['`match` of a rule must be a list, found the text "a.ts"']],
])('%s', (_title, effect, rule, errors) => {
  expect(errorsOf(effect, rule)).toEqual(errors)
})
