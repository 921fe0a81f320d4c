import { expect, test } from 'vitest'
import { makeRow } from './fixtures.ts'
import { listLines } from './list-lines.ts'
import { createRowStore } from './row-store.ts'

const AT_ONCE = { time: '2026-01-01T00:00:00.000Z' }

function read(opened: readonly number[]) {
  const store = createRowStore()
  store.replace([], null)
  store.add([makeRow(1, AT_ONCE), makeRow(2, AT_ONCE), makeRow(3, { ...AT_ONCE, tool: 'Bash' })])
  const lines = listLines(store.snapshot(), new Set(opened))
  return Array.from({ length: lines.count }, (_, index) => lines.at(index)).map(line => [
    line?.row.seq,
    line?.key,
    line?.count,
    line?.isInner,
  ])
}

test('a burst is one line', () => {
  expect(read([])).toEqual([
    [3, 3, 1, false],
    [2, 1, 2, false],
  ])
})

test('an opened burst has its rows below it, newest first', () => {
  expect(read([1])).toEqual([
    [3, 3, 1, false],
    [2, 1, 2, false],
    [2, 2, 1, true],
    [1, 1, 1, true],
  ])
})
