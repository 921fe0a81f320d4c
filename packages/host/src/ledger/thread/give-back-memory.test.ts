import { expect, test } from 'vitest'
import { createLook } from './give-back-memory.ts'

const MB = 1024 * 1024

/** Each step: how busy the thread was, how much it holds, how much would be left of that after a collection. */
test.each<[string, readonly (readonly [load: number, held: number, after: number])[], readonly number[]]>([
  [
    'once at rest',
    [
      [0, 60, 50],
      [0, 50, 50],
    ],
    [0],
  ],
  [
    'not while it is busy, and soon after',
    [
      [0.5, 300, 50],
      [0.06, 300, 50],
      [0.01, 300, 50],
    ],
    [2],
  ],
  [
    'after each growth, not for a little',
    [
      [0, 60, 50],
      [0, 55, 50],
      [0, 200, 52],
      [0, 56, 50],
      [0, 90, 50],
    ],
    [0, 2, 4],
  ],
  [
    'once where nothing can be given back',
    [
      [0, 60, 50],
      [0, 200, 200],
      [0, 200, 200],
    ],
    [0, 1],
  ],
])('%s', (_title, steps, collected) => {
  const done: number[] = []
  let at = 0
  let isCollected = false
  const look = createLook({
    load: () => steps[at]?.[0] ?? 0,
    held: () => (steps[at]?.[isCollected ? 2 : 1] ?? 0) * MB,
    collect: () => {
      isCollected = true
      done.push(at)
    },
  })
  for (; at < steps.length; at++) {
    isCollected = false
    look()
  }
  expect(done).toEqual(collected)
})
