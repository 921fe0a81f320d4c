// More than there is time for: a client that floods does not starve another, and everybody gets an answer or a reason.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createRandom,
  randomCall,
  readDecision,
  SEED,
  type ShimReply,
  startTortureDaemon,
  type TortureDaemon,
} from './fixtures/torture-daemon.ts'

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

const isAnswered = (reply: ShimReply): boolean => (reply.busy === undefined ? typeof reply.exit === 'number' : reply.busy.length > 10)

test('a flood of one client leaves another its answers', async () => {
  const flood = await daemon.openShim()
  const quiet = await daemon.openShim()
  const random = createRandom(SEED)
  let isOver = false
  let flooded = 0
  const strange: ShimReply[] = []
  const flooding = (async () => {
    for (let burst = 0; !isOver; burst++) {
      const replies = await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          flood.ask(daemon.frame(randomCall(random), { agent: 'flood', id: `flood-${burst}-${index}` })),
        ),
      )
      flooded += replies.length
      strange.push(...replies.filter(reply => !isAnswered(reply)))
    }
  })()
  const wrong: unknown[] = []
  for (let turn = 0; turn < 60; turn++) {
    const call = randomCall(random)
    const reply = await quiet.ask(daemon.frame(call, { agent: 'quiet', id: `quiet-${turn}` }))
    if (reply.busy !== undefined || readDecision(reply) !== daemon.expect(call)) wrong.push({ call, reply })
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  isOver = true
  await flooding
  expect(wrong).toEqual([])
  expect(strange).toEqual([])
  expect(flooded).toBeGreaterThan(500)
})

test('5,000 events at once, from 100 clients: answered or refused with a reason', async () => {
  const random = createRandom(SEED + 1)
  const clients = await Promise.all(Array.from({ length: 100 }, () => daemon.openShim()))
  const replies = await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: 50 }, (_, turn) => {
        const call = randomCall(random)
        return client.ask(daemon.frame(call, { agent: `burst-${index}`, id: `burst-${index}-${turn}` })).then(reply => ({ call, reply }))
      }),
    ),
  )
  for (const client of clients) client.close()
  expect(replies).toHaveLength(5000)
  expect(replies.filter(({ reply }) => !isAnswered(reply))).toEqual([])
  expect(replies.filter(({ call, reply }) => reply.busy === undefined && readDecision(reply) !== daemon.expect(call))).toEqual([])
})
