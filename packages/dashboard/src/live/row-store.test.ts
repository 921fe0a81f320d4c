import { expect, test } from 'vitest'
import { makeRow, makeRows } from './fixtures.ts'
import { createRowStore, type RowStore } from './row-store.ts'

function shownBy(store: RowStore): readonly number[] {
  const shown = store.snapshot()
  return Array.from(
    { length: shown.count },
    (_, index) =>
      shown
        .lineAt(index)
        ?.calls.flatMap(({ rows }) => rows.map(({ seq }) => seq))
        .toReversed() ?? [],
  ).flat()
}

test('newest first, each once', () => {
  const store = createRowStore()
  store.replace(makeRows(3, 1), null)
  store.add([makeRow(3), makeRow(4), makeRow(5)])
  store.add([makeRow(4), makeRow(6)])
  expect(shownBy(store)).toEqual([6, 5, 4, 3, 2, 1])
})

test('that a person came in is no news between calls; that somebody was turned away is', () => {
  const store = createRowStore()
  const check = { kind: 'person_check', agent: null, tool: null } as const
  store.replace([{ ...makeRow(2), ...check, verdict: 'none' }, makeRow(1)], null)
  store.add([
    { ...makeRow(3), ...check, verdict: 'none' },
    { ...makeRow(4), ...check, verdict: 'deny' },
  ])
  expect([shownBy(store), store.newestSeq]).toEqual([[4, 1], 4])
})

test('while held nothing moves, what comes is counted, and then shown', () => {
  const store = createRowStore()
  store.replace(makeRows(2, 1), null)
  store.hold(true)
  store.add([makeRow(3), makeRow(4)])
  expect(shownBy(store)).toEqual([2, 1])
  expect(store.snapshot().waiting).toBe(2)
  store.hold(false)
  expect(shownBy(store)).toEqual([4, 3, 2, 1])
  expect(store.snapshot().waiting).toBe(0)
})

test('older rows come below, known ones are left out', () => {
  const store = createRowStore()
  store.replace(makeRows(9, 7), 7)
  store.addOlder(makeRows(7, 5), 5)
  expect(shownBy(store)).toEqual([9, 8, 7, 6, 5])
  expect(store.snapshot().next).toBe(5)
})

test('memory is bounded, and what was let go can be loaded again', () => {
  const store = createRowStore({ keep: 100 })
  store.replace([], null)
  for (let seq = 1; seq <= 10_000; seq++) store.add([makeRow(seq)])
  const { rows, next } = store.snapshot()
  expect(rows).toBeLessThanOrEqual(2100)
  const oldest = shownBy(store).at(-1) ?? 0
  expect(next).toBe(oldest)
  expect(shownBy(store)[0]).toBe(10_000)
})

test('one who scrolls back far keeps it until coming back to the top', () => {
  const store = createRowStore({ keep: 100 })
  store.replace(makeRows(10_000, 9901), 9901)
  store.hold(true)
  store.addOlder(makeRows(9900, 5001), 5001)
  expect(store.snapshot().rows).toBe(5000)
  store.hold(false)
  expect(store.snapshot().rows).toBe(100)
  expect(store.snapshot().next).toBe(9901)
})

test('more waiting than can be kept: the list begins anew with the newest, without a hole', () => {
  const store = createRowStore({ keep: 100 })
  store.replace(makeRows(50, 1), null)
  store.hold(true)
  for (let seq = 51; seq <= 5000; seq++) store.add([makeRow(seq)])
  store.hold(false)
  const seqs = shownBy(store)
  const oldest = seqs.at(-1) ?? 0
  expect(seqs).toEqual(Array.from({ length: 5000 - oldest + 1 }, (_, index) => 5000 - index))
  expect(store.snapshot().next).toBe(oldest)
})

test('a snapshot stays what it was', () => {
  const store = createRowStore()
  store.replace(makeRows(2, 1), null)
  const before = store.snapshot()
  store.add([makeRow(3)])
  expect(before.lineAt(0)?.calls[0]?.rows[0]?.seq).toBe(2)
  expect(before.count).toBe(2)
})

test('what ends on one page and began on the one before is one line, and it does not move', () => {
  const store = createRowStore()
  const call = { callId: 'a', summary: 'ls' }
  store.replace([makeRow(9), makeRow(8, { ...call, kind: 'post_tool_use', verdict: 'none' })], 8)
  store.addOlder([makeRow(7, call), makeRow(6)], 6)
  expect(shownBy(store)).toEqual([9, 8, 7, 6])
  expect(store.snapshot().count).toBe(3)
})
