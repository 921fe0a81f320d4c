import { describe, expect, test } from 'vitest'
import { type FleetAgent, isStale, sortFleet } from './fleet-agent.ts'
import { formatAge, renderFleet } from './render-fleet.ts'

const NOW = Date.parse('2026-01-01T00:10:00.000Z')
const WORKER: FleetAgent = {
  agent: 'worker-1',
  label: null,
  role: null,
  kind: 'claude-code',
  status: 'working',
  reason: null,
  project: '/repo',
  task: '/repo/tasks/login',
  effortId: 3,
  skill: 'implement',
  phase: 'build',
  heartbeat: 4,
  heartbeatInterval: 10,
  context: 0.634,
  lastTool: 'Bash',
  lastCall: null,
  runsSince: null,
  asked: null,
  said: null,
  approvals: 0,
  lastEventAt: '2026-01-01T00:09:48.000Z',
  stale: false,
}
const WAITING: FleetAgent = {
  ...WORKER,
  agent: 'worker-2\x1b[31m',
  status: 'attention',
  reason: 'asks to use\nWrite',
  task: null,
  effortId: null,
  skill: null,
  phase: null,
  heartbeat: null,
  context: null,
  lastTool: null,
  lastCall: null,
  approvals: 2,
}
const view = { nowMs: NOW, width: 200, selected: null, paint: (_tone: string, text: string) => text }

describe('the fleet as a table', () => {
  test('columns', () => {
    expect(renderFleet([WAITING, WORKER], view)).toEqual([
      'agent               status         age  context  heartbeat  task         effort        phase  doing',
      'worker-2\\u001b[31m  waits for you  12s  -        -          -            -             -      2 to decide; asks to use Write',
      'worker-1            working        12s  63 %     4/10       tasks/login  implement #3  build  last call Bash',
    ])
  })
  test.each([
    ['what it asks for', { approvals: 1, lastCall: 'npm publish' }, 'asks for Bash npm publish; 1 to decide'],
    ['what runs, for how long', { runsSince: '2026-01-01T00:09:00.000Z', lastCall: 'npm test' }, 'runs 1m Bash npm test'],
    ['a file of its project', { lastTool: 'Read', lastCall: '/repo/src/a.ts' }, 'last call Read src/a.ts'],
    ['what it said when its turn ended', { said: 'The tests\npass.' }, 'said The tests pass.'],
    ['that it is not guarded', { unguarded: 'hooks are missing' }, 'NOT GUARDED: hooks are missing; last call Bash'],
    ['why it failed', { reason: 'crashed five times', lastTool: null }, 'crashed five times'],
    ['nothing', { lastTool: null }, '-'],
  ])('what an agent does: %s', (_title, fields, doing) => {
    const [head = '', line = ''] = renderFleet([{ ...WORKER, ...fields }], view)
    expect(line.slice(head.indexOf('doing'))).toBe(doing)
  })
  const names = (agents: readonly FleetAgent[], width: number) => renderFleet(agents, { ...view, width })[0]?.split(/ +/)
  test('a narrow terminal shows who, how, when and what; a wider one more', () => {
    const agent = { ...WORKER, asked: 'Orders accept a negative total. Fix it.', lastCall: 'npm test -- --run src/routes/orders' }
    expect(names([agent], 80)).toEqual(['agent', 'status', 'age', 'context', 'doing'])
    expect(names([agent], 120)).toEqual(['agent', 'status', 'age', 'context', 'asked', 'doing'])
    expect(names([agent], 180)).toEqual([
      ...['agent', 'status', 'age', 'context', 'heartbeat', 'task', 'effort', 'phase', 'asked', 'doing'],
    ])
  })
  test('a column in which nobody has anything is left out', () => {
    expect(names([{ ...WAITING, heartbeat: null }], 200)).toEqual(['agent', 'status', 'age', 'doing'])
  })
  test('no line is wider than the terminal, and no colour is cut in two', () => {
    for (let width = 10; width < 120; width++) {
      const lines = renderFleet([WAITING, { ...WORKER, stale: true }], { ...view, width, paint: (_tone, text) => `<${text}>` })
      for (const line of lines) {
        expect(line.replace(/[<>]/g, '').length).toBeLessThanOrEqual(width)
        expect(line.split('<')).toHaveLength(line.split('>').length)
      }
    }
  })
  test('the selected row is marked', () => {
    const lines = renderFleet([WORKER], { ...view, selected: 0, paint: (tone, text) => `${tone}(${text})` })
    expect(lines[1]).toMatch(/^inverse\(worker-1/)
  })
  test('nobody', () => expect(renderFleet([], view)).toEqual(['no agents yet; belay install AGENT connects one']))
})

test('error before attention, working, checked and done; of equals the latest', () => {
  const statuses = ['done', 'working', 'checked', 'error', 'attention'] as const
  const agents = statuses.map((status, index) => ({ ...WORKER, agent: status, status, lastEventAt: `2026-01-01T00:00:0${index}.000Z` }))
  const later = { ...WORKER, agent: 'later', status: 'done', lastEventAt: '2026-01-02T00:00:00.000Z' } as const
  expect(sortFleet([...agents, later]).map(({ agent }) => agent)).toEqual(['error', 'attention', 'working', 'checked', 'later', 'done'])
})

describe('stale', () => {
  const signs = { status: 'working', hasEnded: false, lastEventAt: '2026-01-01T00:04:00.000Z', lastHeartbeat: null } as const
  test('working, silent for six minutes', () => expect(isStale(signs, NOW)).toBe(true))
  test('a progress entry is a sign of life', () =>
    expect(isStale({ ...signs, lastHeartbeat: '2026-01-01T00:06:00.000Z' }, NOW)).toBe(false))
  test('a tool call is one', () => expect(isStale({ ...signs, lastEventAt: '2026-01-01T00:05:00.000Z' }, NOW)).toBe(false))
  test('who waits for a person is not', () => expect(isStale({ ...signs, status: 'attention' }, NOW)).toBe(false))
  test('who has ended is not', () => expect(isStale({ ...signs, hasEnded: true }, NOW)).toBe(false))
})

test.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [7_200_000, '2h'],
  [3 * 86_400_000, '3d'],
])('%d ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text))
