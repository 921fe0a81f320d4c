import { expect, test } from 'vitest'
import type { SessionView } from '#page/fleet.ts'
import { chainsOf } from './chain.ts'

function session(id: number, change: Partial<SessionView> = {}): SessionView {
  return {
    id,
    previous: null,
    hostSession: `h${id}`,
    subagent: null,
    startedAt: `2026-01-01T00:0${id}:00.000Z`,
    endedAt: null,
    context: null,
    cost: null,
    heartbeat: 0,
    effortId: null,
    dehydrated: null,
    messages: 0,
    ...change,
  }
}

const drawn = (sessions: readonly SessionView[]) =>
  chainsOf(sessions).map(chain => chain.map(link => [link.session.id, link.isContinued, link.subagents.map(({ id }) => id)]))

test('windows that continue each other are one chain, others begin their own', () => {
  expect(drawn([session(1), session(2, { previous: 1 }), session(3), session(4, { previous: 2 })])).toEqual([
    [
      [1, false, []],
      [2, true, []],
      [4, true, []],
    ],
    [[3, false, []]],
  ])
})

test('a window whose predecessor is not known begins a chain', () => {
  expect(drawn([session(2, { previous: 1 })])).toEqual([[[2, false, []]]])
})

test('a sub-agent stands under the window in which it began', () => {
  expect(drawn([session(1), session(2, { subagent: 'x' }), session(3, { previous: 1 }), session(4, { subagent: 'y' })])).toEqual([
    [
      [1, false, [2]],
      [3, true, [4]],
    ],
  ])
})

test('no sessions, no chains', () => {
  expect(chainsOf([])).toEqual([])
})
