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
    line?.inner,
  ])
}

test('a burst is one line', () => {
  expect(read([])).toEqual([
    [3, 3, 1, null],
    [2, 1, 2, null],
  ])
})

test('an opened burst has its rows below it, newest first', () => {
  expect(read([1])).toEqual([
    [3, 3, 1, null],
    [2, 1, 2, null],
    [2, 2, 1, 'call'],
    [1, 1, 1, 'call'],
  ])
})

test('a call that was held and answered is one line, and opens into its steps', () => {
  const call = { summary: 'npm publish', tool: 'Bash', approval: 'apr_1' }
  const store = createRowStore()
  store.replace([], null)
  store.add([
    makeRow(1, { ...call, kind: 'approval_requested', verdict: 'ask' }),
    makeRow(2, { ...call, kind: 'approval_decided' }),
    makeRow(3, { ...call, callId: 'a' }),
    makeRow(4, { ...call, approval: null, callId: 'a', kind: 'post_tool_use' }),
  ])
  const lines = listLines(store.snapshot(), new Set([1]))
  const [head, ...steps] = Array.from({ length: lines.count }, (_, index) => lines.at(index))
  expect([head?.row.seq, head?.end?.seq, head?.request?.seq, head?.inside]).toEqual([3, 4, 2, 4])
  expect(steps.map(step => [step?.row.kind, step?.inner])).toEqual([
    ['approval_requested', 'step'],
    ['approval_decided', 'step'],
    ['pre_tool_use', 'step'],
    ['post_tool_use', 'step'],
  ])
})
