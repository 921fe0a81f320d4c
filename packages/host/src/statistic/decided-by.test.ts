import { expect, test } from 'vitest'
import { decidedBy, OWN_PROTECTION, ruleWords } from './decided-by.ts'
import type { Fields } from './read-fields.ts'

const RULE = { id: 'allow-32-12', text: 'Bash(git *)', effect: 'allow', place: '/p/.belay/genesis.key:32' }

test.each<readonly [string, Fields, string | null, string | null]>([
  ['a rule without a name', { verdict: 'allow', rule: RULE }, 'Bash(git *)', 'genesis.key:32'],
  ['the rule of a request', { rule: 'ask Bash(npm publish *) (/p/my (own)/genesis.key:4)' }, 'Bash(npm publish *)', 'genesis.key:4'],
  ['the rule of a request, of no file', { rule: 'ask Write' }, 'Write', null],
  ['a hook', { verdict: 'deny', hooks: [{ hook: 'careful', verdict: 'deny', place: '/p/hooks.toml:3' }] }, 'hook careful', 'hooks.toml:3'],
  ['our own protection', { verdict: 'deny', decidedBy: 0, parts: [{ decision: 'deny', match: null }] }, OWN_PROTECTION, null],
  ['our own protection that asks', { verdict: 'ask', decidedBy: 0, parts: [{ decision: 'ask', match: null }] }, OWN_PROTECTION, null],
  ['code that nobody can read', { verdict: 'ask', decidedBy: 0, parts: [{ decision: 'ask', match: 'may' }] }, null, null],
  ['the default', { verdict: 'ask', decidedBy: 0, parts: [{ decision: 'default', match: null }] }, 'no rule covers it', null],
  ['nothing', { verdict: 'none' }, null, null],
  ['a pause', { verdict: 'none', paused: true }, 'deciding was switched off', null],
])('%s', (_title, body, by, place) => {
  expect(decidedBy(body)).toEqual({ by, place })
})

test.each([
  ['allow-32-12', 'Bash(git *)'],
  ['deny-4-9', 'deny rule in line 4'],
  ['no-push', 'no-push'],
])('the rule %s of a part is called %s', (id, words) => {
  expect(ruleWords(id, { rule: RULE })).toBe(words)
})
