import { expect, test } from 'vitest'
import { plainValue } from './plain-value.ts'

test.each<[unknown, string]>([
  ['text', 'text'],
  [3, '3'],
  [null, '-'],
  [[], '-'],
  [{}, '-'],
  [['a', 'b'], '\n- a\n- b'],
  [{ a: 1, b: null, c: { d: 'x' } }, '\na: 1\nc:\n  d: x'],
  [
    [
      { phase: 'plan', proof: null },
      { phase: 'build', proof: { tests: ['12', '13'] } },
    ],
    '\n- phase: plan\n- phase: build\n  proof:\n    tests:\n      - 12\n      - 13',
  ],
  [[['a']], '\n- - a'],
])('%j', (value, text) => {
  expect(plainValue(value)).toBe(text)
  expect(plainValue(value)).not.toMatch(/[{}"]/)
})
