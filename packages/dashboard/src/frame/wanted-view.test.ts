import { expect, test } from 'vitest'
import { keepWanted, takeWanted } from './wanted-view.ts'

function makeKeeper(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
  }
}

test.each([
  ['/live/s1?event=7', 0, '/live/s1?event=7'],
  ['/', 0, null],
  ['/live/s1', 16 * 60_000, null],
  ['//elsewhere.example/x', 0, null],
  ['https://elsewhere.example/', 0, null],
])('%s, %d ms later: %s', (href, laterMs, wanted) => {
  const keeper = makeKeeper()
  keepWanted(keeper, href, 1000)
  expect(takeWanted(keeper, 1000 + laterMs)).toBe(wanted)
  expect(takeWanted(keeper, 1000 + laterMs)).toBeNull()
})
