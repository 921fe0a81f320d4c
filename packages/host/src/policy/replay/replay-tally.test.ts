import type { Entry } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import type { Replayed } from './replay-call.ts'
import { addReplayed, emptyTally, mergeTally } from './replay-tally.ts'

const entry = (seq: number) => ({ seq, time: 't', actor: 'agent:a' }) as Entry
const change = (text: string): Replayed => ({
  kind: 'changed',
  by: 'policy',
  before: 'allow',
  after: 'deny',
  rule: null,
  reason: 'r',
  call: { tool: 'Bash', input: { command: text } },
})

test('tallies of parts add up to that of the whole, whichever comes first', () => {
  const all: readonly Replayed[] = [
    { kind: 'same', decision: 'allow' },
    change('a'),
    { kind: 'other' },
    { kind: 'unjudged', why: 'hook' },
    change('b'),
  ]
  const whole = emptyTally()
  const parts = [emptyTally(), emptyTally()] as const
  for (const [at, each] of all.entries()) {
    addReplayed(whole, entry(at), each)
    addReplayed(parts[at < 2 ? 0 : 1], entry(at), each)
  }
  const merged = emptyTally()
  for (const part of parts.toReversed()) mergeTally(merged, part)
  expect(merged).toEqual(whole)
  expect(whole).toMatchObject({
    entries: 5,
    judged: 3,
    same: 1,
    changed: { 'allow->deny': 2 },
    unjudged: { hook: 1 },
    groups: [{ count: 2, example: { seq: 1, text: 'a' } }],
  })
})
