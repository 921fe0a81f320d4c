// Requests on their way to a hub: one that it cannot take holds nobody else's up, and nothing is lost while it is away.
import { expect, test } from 'vitest'
import { createApprovalRelay } from './approval-relay.ts'
import type { HubAnswer } from './hub-client.ts'
import type { UnsentApproval } from './team-message.ts'

const ASKED: UnsentApproval = {
  ...{ id: '', state: 'pending', facts: {}, requester: 'human:ana', approvers: [], leftMs: 1000, decidedBy: null, note: null },
  createdAt: '2030-01-01T00:00:00Z',
}

/** A hub that takes what it `takes`, says `refusal` to a list with anything else in it, and is away while `isAway`. */
function makeHub(takes: (id: string) => boolean, refusal: HubAnswer['status'] = 400) {
  const hub = { held: [] as string[], isAway: false, asks: 0 }
  const refused: string[] = []
  const relay = createApprovalRelay({
    since: '2029-01-01',
    onRefused: (id, why) => refused.push(`${id}: ${why}`),
    ask: async (_request, body) => {
      hub.asks++
      if (hub.isAway) return 'connect ECONNREFUSED'
      const ids = (body as { approvals: readonly UnsentApproval[] }).approvals.map(({ id }) => id)
      const isGood = ids.every(takes)
      if (isGood) hub.held.push(...ids)
      return { status: isGood ? 200 : refusal, body: { error: 'it cannot be stored' }, sentBytes: 1 }
    },
  })
  for (const id of ['a', 'b', 'c']) relay.add({ ...ASKED, id })
  return { hub, relay, refused }
}

test('requests that come together go together', async () => {
  const { hub, relay } = makeHub(() => true)
  expect([await relay.send(), hub.held, hub.asks, relay.hasUnsent()]).toEqual([true, ['a', 'b', 'c'], 1, false])
})

test.each([400, 413])('one that the hub refuses with %d is given up and named; the others arrive', async status => {
  const { hub, relay, refused } = makeHub(id => id !== 'b', status)
  expect(await relay.send()).toBe(true)
  expect([hub.held, refused, relay.hasUnsent()]).toEqual([['a', 'c'], [`b: the hub answered ${status}: it cannot be stored`], false])
  relay.add({ ...ASKED, id: 'd' })
  expect([await relay.send(), hub.held]).toEqual([true, ['a', 'c', 'd']])
})

test('a hub that is away or in trouble gets everything later', async () => {
  const { hub, relay, refused } = makeHub(() => true)
  hub.isAway = true
  expect([await relay.send(), relay.hasUnsent(), refused]).toEqual([false, true, []])
  hub.isAway = false
  expect([await relay.send(), hub.held]).toEqual([true, ['a', 'b', 'c']])
  const troubled = makeHub(() => false, 503)
  expect([await troubled.relay.send(), troubled.relay.hasUnsent(), troubled.refused]).toEqual([false, true, []])
})
