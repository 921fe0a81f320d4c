import { expect, test } from 'vitest'
import type { RecordFilter } from '#page/record.ts'
import { makeRow } from './fixtures.ts'
import { matchRow } from './match-row.ts'

const ROW = makeRow(1, { tool: 'mcp__github__push', project: '/home/me/api', reason: 'Pushing is for people', session: null })

test.each<[RecordFilter, boolean]>([
  [{}, true],
  [{ tool: 'mcp__github__push' }, true],
  [{ tool: 'mcp__*' }, true],
  [{ tool: 'mcp__*__pull' }, false],
  [{ tool: 'm*github*push' }, true],
  [{ tool: '*' }, true],
  [{ tool: 'mcp' }, false],
  [{ session: '*' }, false],
  [{ project: '*/api', verdict: 'allow' }, true],
  [{ project: '*/api', verdict: 'deny' }, false],
  [{ text: 'PUSHING is' }, true],
  [{ text: 'nowhere' }, false],
])('%j: %s', (filter, isIn) => {
  expect(matchRow(ROW, filter)).toBe(isIn)
})
