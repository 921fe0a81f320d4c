import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { addRuleText, EMPTY_POLICY, type NewRule } from './genesis-edit.ts'

const rule: NewRule = { actor: 'agent:*', effect: 'deny', pattern: 'Bash(git push *)' }

function added(text: string, change: Partial<NewRule> = {}): string {
  const edited = addRuleText(text, { ...rule, ...change })
  if (edited.kind !== 'added') throw new Error(JSON.stringify(edited))
  const parsed = parseGenesis(edited.text, 'genesis.key')
  if (!parsed.ok) throw new Error(`${edited.text}\n${JSON.stringify(parsed.errors)}`)
  const block = parsed.policy.permissions?.actors.find(each => each.actor === (change.actor ?? rule.actor))
  expect(block?.[change.effect ?? rule.effect].map(each => each.text)).toContain(change.pattern ?? rule.pattern)
  return edited.text
}

const HEAD = 'version: "2.0" # two\n\n# who may do what\npermissions:\n  actors:\n    # all of them\n    "agent:*":\n'

describe('a list that is there gets one line more, and nothing else changes', () => {
  test.each<[string, string, string]>([
    [
      'at the end of the file',
      '      deny:\n        - "Bash(rm *)"\n',
      '      deny:\n        - "Bash(rm *)"\n        - "Bash(git push *)"\n',
    ],
    [
      'without a last line break',
      '      deny:\n        - "Bash(rm *)"',
      '      deny:\n        - "Bash(rm *)"\n        - "Bash(git push *)"\n',
    ],
    [
      'before what follows, behind a comment',
      "      deny:\n        - 'Bash(rm *)'   # never\n        # keep me\n\n      allow: [Read]\n",
      '      deny:\n        - \'Bash(rm *)\'   # never\n        - "Bash(git push *)"\n        # keep me\n\n      allow: [Read]\n',
    ],
    ['lists without indentation', '      deny:\n      - Write\n', '      deny:\n      - Write\n      - "Bash(git push *)"\n'],
    ['a flow list', '      deny: [Write, Edit] # both\n', '      deny: [Write, Edit, "Bash(git push *)"] # both\n'],
    [
      'after a rule with fields',
      '      deny:\n        - rule: Write\n          message: no\n      ask: []\n',
      '      deny:\n        - rule: Write\n          message: no\n        - "Bash(git push *)"\n      ask: []\n',
    ],
    ['windows line ends', '      deny:\r\n        - Write\r\n', '      deny:\r\n        - Write\r\n        - "Bash(git push *)"\r\n'],
  ])('%s', (_title, before, after) => {
    expect(added(HEAD + before)).toBe(HEAD + after)
  })
})

describe('missing structure is made, comments stay', () => {
  test.each<[string, string, string]>([
    [
      'the list',
      `${HEAD}      allow:\n        - Read # fine\n`,
      `${HEAD}      allow:\n        - Read # fine\n      deny:\n        - "Bash(git push *)"\n`,
    ],
    ['an empty list', `${HEAD}      deny: []\n`, `${HEAD}      deny: ["Bash(git push *)"]\n`],
    [
      'an empty mapping',
      'version: "2.0"\npermissions: {}\n',
      'version: "2.0"\npermissions: {actors: {"agent:*": {deny: ["Bash(git push *)"]}}}\n',
    ],
    [
      'a flow mapping',
      'version: "2.0"\npermissions: {default: none} # short\n',
      'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(git push *)"]}}} # short\n',
    ],
    [
      'the whole section, above a comment that ends the file',
      'version: "2.0"\nhooks:\n  stop:\n    - type: deny # no\n# the end\n',
      'version: "2.0"\nhooks:\n  stop:\n    - type: deny # no\npermissions:\n  actors:\n    "agent:*":\n      deny:\n        - "Bash(git push *)"\n# the end\n',
    ],
    ['a list with nothing in it', `${HEAD}      deny:\n`, `${HEAD}      deny:\n        - "Bash(git push *)"\n`],
    [
      'the actor',
      'version: "2.0"\n# head\npermissions:\n  actors:\n    agent:x: # one\n      allow: [Read]\n',
      'version: "2.0"\n# head\npermissions:\n  actors:\n    agent:x: # one\n      allow: [Read]\n    "agent:*":\n      deny:\n        - "Bash(git push *)"\n',
    ],
    [
      'everything',
      EMPTY_POLICY,
      'version: "2.0"\n\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny:\n        - "Bash(git push *)"\n',
    ],
  ])('%s', (_title, before, after) => {
    expect(added(before)).toBe(after)
  })
})

test('patterns with quotes and backslashes survive', () => {
  added(EMPTY_POLICY, { pattern: 'Bash(grep "a\\b" *)' })
  added(`${HEAD}      deny: [Write]\n`, { pattern: 'Bash(grep "a\\b" *)' })
  added(EMPTY_POLICY, { actor: 'Ada Byron', effect: 'allow', pattern: "Bash(echo 'x: #y' *)" })
})

test('a rule that is there already is not added twice', () => {
  expect(addRuleText(`${HEAD}      deny: ["Bash(git push *)"]\n`, rule)).toEqual({ kind: 'present' })
  expect(addRuleText(`${HEAD}      deny: [{rule: "Bash(git push *)"}]\n`, rule)).toEqual({ kind: 'present' })
})

test.each([
  ['permissions: [a]\n', '`permissions` is not a mapping'],
  ['permissions: {actors: {"agent:*": {deny: 3}}}\n', '`deny` is not a list'],
  ['a: [\n', 'it is not valid YAML'],
])('%s is refused', (text, why) => {
  expect(addRuleText(text, rule)).toEqual({ kind: 'refused', why })
})
