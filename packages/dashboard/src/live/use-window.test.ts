import { expect, test } from 'vitest'
import { windowOf } from './use-window.ts'

test.each([
  [{ top: 0, height: 300 }, 0, { first: 0, end: 0, isAtTop: true }],
  [{ top: 0, height: 300 }, 5, { first: 0, end: 5, isAtTop: true }],
  [{ top: 0, height: 300 }, 1000, { first: 0, end: 22, isAtTop: true }],
  [{ top: 3000, height: 300 }, 1000, { first: 88, end: 122, isAtTop: false }],
  // The list became shorter than where one looks.
  [{ top: 3000, height: 300 }, 50, { first: 50, end: 50, isAtTop: false }],
])('%j of %d', (place, count, lines) => {
  expect(windowOf(place, count)).toEqual(lines)
})
