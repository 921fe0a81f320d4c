import { expect, test } from 'vitest'
import type { RecordRow } from '#page/record.ts'
import { makeRow } from './fixtures.ts'
import { createCallJoiner } from './join-calls.ts'

const before = (seq: number, more: Partial<RecordRow> = {}) => makeRow(seq, { summary: 'ls', ...more })
const after = (seq: number, more: Partial<RecordRow> = {}) =>
  makeRow(seq, { kind: 'post_tool_use', event: 'PostToolUse', summary: 'ls', verdict: 'none', ...more })
const asked = (seq: number, kind: string, more: Partial<RecordRow> = {}) =>
  makeRow(seq, { kind, event: null, summary: 'ls', approval: 'apr_1', ...more })

function join(rows: readonly RecordRow[]): readonly (readonly number[])[] {
  const joiner = createCallJoiner()
  const calls = new Set<{ readonly rows: readonly RecordRow[] }>()
  for (const row of rows) calls.add(joiner.join(row) ?? joiner.begin(row))
  return [...calls].map(call => call.rows.map(({ seq }) => seq))
}

test.each<readonly [string, readonly RecordRow[], readonly (readonly number[])[]]>([
  ['before and after by their id', [before(1, { callId: 'a' }), before(2, { callId: 'b' }), after(3, { callId: 'a' })], [[1, 3], [2]]],
  ['before and after by their text', [before(1), before(2, { summary: 'pwd' }), after(3)], [[1, 3], [2]]],
  [
    'the same text again',
    [before(1), after(2), before(3), after(4)],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['the same text of another session', [before(1), after(2, { session: 's2' })], [[1], [2]]],
  ['an end without a beginning', [after(1), after(2)], [[1], [2]]],
  [
    'held and answered, then judged and done',
    [
      asked(1, 'approval_requested'),
      asked(2, 'approval_decided'),
      before(3, { callId: 'a', approval: 'apr_1' }),
      after(4, { callId: 'a' }),
    ],
    [[1, 2, 3, 4]],
  ],
  [
    'refused, allowed later, and tried again',
    [
      asked(1, 'approval_requested'),
      before(2, { callId: 'a', approval: 'apr_1', verdict: 'ask' }),
      asked(3, 'approval_decided'),
      before(4, { callId: 'b', approval: 'apr_1' }),
      after(5, { callId: 'b' }),
    ],
    [
      [1, 2, 3],
      [4, 5],
    ],
  ],
  [
    'what is not a call',
    [makeRow(1, { tool: null, kind: 'stop', summary: '' }), makeRow(2, { tool: null, kind: 'stop', summary: '' })],
    [[1], [2]],
  ],
])('%s', (_title, rows, calls) => {
  expect(join(rows)).toEqual(calls)
})

test('the beginning of a call that is found later takes its place once', () => {
  const joiner = createCallJoiner()
  const call = joiner.begin(after(9, { callId: 'a' }))
  expect(joiner.joinBefore(before(2, { callId: 'a' }))).toBe(call)
  expect(joiner.joinBefore(before(2, { callId: 'a' }))).toBeNull()
  expect(call.rows.map(({ seq }) => seq)).toEqual([2, 9])
})
