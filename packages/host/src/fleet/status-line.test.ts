import { expect, test } from 'vitest'
import { type LineFacts, renderStatusLine } from './status-line.ts'

const NOTHING: LineFacts = { guard: 'on', effort: null, heartbeat: null, approvals: 0 }
const ALL: LineFacts = {
  guard: 'on',
  effort: { id: 3, skill: 'implement', phase: 'build\x1b[2J' },
  heartbeat: { count: 4, interval: 10 },
  approvals: 2,
}

const CASES: readonly [facts: LineFacts | null, usage: number | null, text: string][] = [
  [NOTHING, null, 'belay on'],
  [{ ...NOTHING, guard: 'paused' }, null, 'belay paused'],
  [{ ...NOTHING, guard: 'broken' }, 0.4, 'belay: policy broken | context 40 %'],
  [{ ...NOTHING, guard: 'none', approvals: 1 }, null, 'belay: no policy here | 1 approval waiting'],
  [ALL, 0.634, 'belay on | implement: build [2J | heartbeat 4/10 | 2 approvals waiting | context 63 %'],
  [null, 0.5, 'belay: daemon down, static policy | context 50 %'],
]

for (const [facts, usage, text] of CASES) test(text, () => expect(renderStatusLine(facts, usage, false)).toBe(text))

test('what needs a person is coloured', () => {
  expect(renderStatusLine({ ...NOTHING, heartbeat: { count: 10, interval: 10 } }, 0.95, true)).toBe(
    '\x1b[32mbelay on\x1b[39m | \x1b[31mheartbeat 10/10\x1b[39m | \x1b[31mcontext 95 %\x1b[39m',
  )
})
