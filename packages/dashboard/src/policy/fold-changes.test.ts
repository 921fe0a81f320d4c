import { expect, test } from 'vitest'
import type { Compared } from '#page/policy.ts'
import { foldChanges } from './fold-changes.ts'

type Change = Compared['changed'][number]

function change(seq: number, summary: string, after: Change['after'] = 'deny'): Change {
  const row = { seq, tool: 'Bash', summary, actor: 'agent:a' } as Change['row']
  return { row, before: 'allow', after, rule: null, reason: '', count: 1 }
}

test('the same call with the same outcome is told once', () => {
  const folded = foldChanges([change(5, 'ls'), change(4, 'id'), change(3, 'ls'), change(2, 'ls', 'ask'), change(1, 'ls')])
  expect(folded.map(({ change: { row, after }, count }) => [row.seq, row.summary, after, count])).toEqual([
    [5, 'ls', 'deny', 3],
    [4, 'id', 'deny', 1],
    [2, 'ls', 'ask', 1],
  ])
})

test('what stands for many counts as many', () => {
  expect(foldChanges([{ ...change(5, 'ls'), count: 40 }, change(4, 'ls')]).map(({ count }) => count)).toEqual([41])
})
