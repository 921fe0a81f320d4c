import { expect, test } from 'vitest'
import type { Lint } from '#page/policy.ts'
import { lintByLine, offsetOf } from './lint-lines.ts'

function lint(line: number, column: number, severity: Lint['severity']): Lint {
  return { file: 'f', line, column, severity, message: `${line}:${column}` }
}

test('the worst message of a line comes first, and what lies outside is moved in', () => {
  const byLine = lintByLine([lint(2, 1, 'info'), lint(2, 9, 'error'), lint(2, 3, 'error'), lint(99, 1, 'warning'), lint(0, 1, 'info')], 3)
  expect([...byLine].map(([line, messages]) => [line, messages.map(({ message }) => message)])).toEqual([
    [2, ['2:3', '2:9', '2:1']],
    [3, ['99:1']],
    [1, ['0:1']],
  ])
})

test.each([
  ['ab\ncd', 1, 1, 0],
  ['ab\ncd', 2, 2, 4],
  ['ab\ncd', 1, 99, 2],
  ['ab\ncd', 2, 99, 5],
  ['ab\ncd', 9, 1, 5],
  ['', 1, 1, 0],
])('%j line %d column %d is at %d', (text, line, column, offset) => {
  expect(offsetOf(text, line, column)).toBe(offset)
})
