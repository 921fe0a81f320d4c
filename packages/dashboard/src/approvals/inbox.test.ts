import { expect, test } from 'vitest'
import type { Approval } from '#page/api.ts'
import { inboxOf, neighbourOf, ruleParts, waitingOf, whyNotAlways } from './inbox.ts'

function request(id: string, change: Partial<Approval> = {}): Approval {
  return {
    id,
    state: 'pending',
    kind: 'call',
    root: '/p',
    agent: 'claude-code',
    actor: 'agent:claude-code',
    agentId: 'a',
    session: 's',
    commitment: null,
    tool: 'Bash',
    input: {},
    reason: '',
    rule: null,
    origin: 'default',
    approvers: [],
    createdAt: `2026-01-01T00:00:0${id}.000Z`,
    expiresAt: '2026-01-01T00:15:00.000Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
    usedAt: null,
    heldUntil: null,
    ...change,
  }
}

const ids = (requests: readonly Approval[]) => requests.map(({ id }) => id)

test('oldest first, and the decided one on screen keeps its place', () => {
  const decided = request('2', { state: 'allowed' })
  expect(ids(inboxOf([request('3'), request('1')], decided))).toEqual(['1', '2', '3'])
  expect(ids(inboxOf([request('3'), request('1')], null))).toEqual(['1', '3'])
  expect(ids(inboxOf([request('1')], request('1')))).toEqual(['1'])
})

test('neighbours stop at the ends', () => {
  const list = [request('1'), request('2')]
  const to = (id: string | null, step: 1 | -1) => neighbourOf(list, id, step)?.id
  expect([to('1', 1), to('2', 1), to('1', -1), to('gone', 1), to(null, -1)]).toEqual(['2', '2', '1', '1', '1'])
  expect(neighbourOf([], '1', 1)).toBe(null)
})

test('what was decided elsewhere is not decided again', () => {
  const list = [request('1'), request('2', { state: 'denied' }), request('3')]
  expect(ids(waitingOf(list, new Set(['1', '2'])))).toEqual(['1'])
})

test('an allow rule helps only where no rule and no hook asks', () => {
  expect(whyNotAlways(request('1'))).toBe(null)
  expect(whyNotAlways(request('1', { kind: 'gate' }))).toMatch(/gate/)
  expect(whyNotAlways(request('1', { origin: 'hook' }))).toMatch(/hook/)
  expect(whyNotAlways(request('1', { origin: 'rule', rule: 'ask Bash(x)' }))).toMatch(/^ask Bash\(x\) asks/)
})

test.each([
  ['ask Bash(git push *) (/p/.belay/genesis.key:6)', { text: 'ask Bash(git push *)', place: '/p/.belay/genesis.key:6' }],
  ['ask Bash(x)', { text: 'ask Bash(x)', place: null }],
  ['ask Bash(a (b))', { text: 'ask Bash(a (b))', place: null }],
])('%s', (rule, parts) => {
  expect(ruleParts(rule)).toEqual(parts)
})
