import { expect, test } from 'vitest'
import type { RecordRow } from '#page/record.ts'
import { makeRow } from './fixtures.ts'
import { createGrouper, type Group } from './group-rows.ts'

function group(rows: readonly RecordRow[]): readonly (readonly number[])[] {
  const groups: Group[] = []
  const grouper = createGrouper()
  for (const row of rows) grouper.add(groups, row)
  return groups.map(({ calls }) => calls.flatMap(({ rows: found }) => found.map(({ seq }) => seq)))
}

function at(ms: number): { readonly time: string } {
  return { time: new Date(Date.UTC(2026, 0, 1) + ms).toISOString() }
}

test('a burst is one line, also where another agent works in between', () => {
  const rows = [makeRow(1, at(0)), makeRow(2, { ...at(10), agentId: 'two' }), makeRow(3, at(20)), makeRow(4, { ...at(30), agentId: 'two' })]
  expect(group(rows)).toEqual([
    [1, 3],
    [2, 4],
  ])
})

test('what people do one after the other stays apart', () => {
  expect(group([makeRow(1, at(0)), makeRow(2, at(1500))])).toEqual([[1], [2]])
})

test('a line is settled after five seconds', () => {
  const rows = Array.from({ length: 9 }, (_, index) => makeRow(index + 1, at(index * 900)))
  expect(group(rows)).toEqual([
    [1, 2, 3, 4, 5, 6],
    [7, 8, 9],
  ])
})

test.each<Partial<RecordRow>>([{ verdict: 'deny' }, { verdict: 'ask' }, { isRewritten: true }, { hasFailedHook: true }])(
  '%j is never folded away',
  more => {
    expect(group([makeRow(1, { ...at(0), ...more }), makeRow(2, { ...at(1), ...more })])).toEqual([[1], [2]])
  },
)

test('another tool, event or rule is another line', () => {
  const rows = [
    makeRow(1, at(0)),
    makeRow(2, { ...at(1), tool: 'Bash' }),
    makeRow(3, { ...at(2), kind: 'permission_request', tool: 'Glob' }),
    makeRow(4, { ...at(3), rule: 'r' }),
  ]
  expect(group(rows)).toHaveLength(4)
})

test('after a call that failed the next one of a burst has its own line', () => {
  const failed = { kind: 'post_tool_use_failure', event: 'PostToolUseFailure', callId: 'a' }
  const rows = [makeRow(1, { ...at(0), callId: 'a' }), makeRow(2, { ...at(5), ...failed }), makeRow(3, { ...at(10), callId: 'b' })]
  expect(group(rows)).toEqual([[1, 2], [3]])
})
