import { expect, test } from 'vitest'
import type { Live } from '#hub/api.ts'
import { mergeLive } from './merge-live.ts'

const entry = (chain: number, seq: number, second: number): Live => ({
  ...{
    chain,
    seq,
    machine: `m${chain}`,
    time: '',
    actor: 'a',
    session: null,
    kind: 'k',
    tool: null,
    verdict: null,
    rule: null,
    summary: null,
  },
  received: `2026-01-01T00:00:0${second}.000Z`,
})
const named = (entries: readonly Live[]): string[] => entries.map(({ chain, seq }) => `${chain}/${seq}`)

test('each once, the newest first, whatever comes again', () => {
  const first = mergeLive([], [entry(1, 2, 2), entry(1, 1, 1)])
  const then = mergeLive(first, [entry(2, 1, 3), entry(1, 2, 2), entry(2, 9, 1)])
  expect(named(then)).toEqual(['2/1', '1/2', '1/1', '2/9'])
})

test('nothing new leaves the list as it was', () => {
  const rows = mergeLive([], [entry(1, 1, 1)])
  expect(mergeLive(rows, [entry(1, 1, 1)])).toBe(rows)
})
