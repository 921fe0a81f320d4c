import { expect, test } from 'vitest'
import { nameMatches, patternTokens } from './name-pattern.ts'

const cases: readonly [string, string, boolean][] = [
  ['*', 'a', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['?', 'a', true],
  ['?', '', false],
  ['a*c', 'abc', true],
  ['a*c', 'abcd', false],
  ['*a*b', 'xaxbxb', true],
  ['*ab', 'aab', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]', '[]', true],
  ['[a', '[a', true],
  ['a.b', 'axb', false],
  ['A*', 'abc', false],
]

test.each(cases)('%s against %s', (pattern, name, expected) => {
  expect(nameMatches(patternTokens(pattern, false), name)).toBe(expected)
})

test('case left aside', () => {
  expect(nameMatches(patternTokens('BEL[A-B]*', true), 'belay')).toBe(true)
})

test('a pattern of many stars is told from a long name', () => {
  expect(nameMatches(patternTokens(`${'*a'.repeat(5000)}b`, false), 'a'.repeat(20_000))).toBe(false)
})
