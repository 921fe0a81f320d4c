import { expect, test } from 'vitest'
import { milliseconds, span } from './time.ts'

test.each([
  [-5, '0 s'],
  [4200, '4 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [49 * 3_600_000, '2 d'],
])('%d ms are %s', (ms, text) => {
  expect(span(ms)).toBe(text)
})

test.each([
  [null, '–'],
  [0.123, '0.12 ms'],
  [12.34, '12.3 ms'],
  [123.4, '123 ms'],
  [12_340, '12.3 s'],
])('%s is written %s', (ms, text) => {
  expect(milliseconds(ms)).toBe(text)
})
