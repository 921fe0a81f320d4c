// More than there is time for: a client that floods does not starve another, and everybody gets an answer or a reason.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createRandom,
  FULL,
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

/** Connections that the daemon takes; it may refuse some. */
function hold(count: number, text: string): Promise<readonly Socket[]> {
  const open = () =>
    new Promise<Socket | null>(resolve => {
      const socket = connect(daemon.paths.shimSocket, () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', () => resolve(null))
    })
  return Promise.all(Array.from({ length: count }, open)).then(sockets => sockets.filter(socket => socket !== null))
}

test('memory that many connections took is given back when they are gone', async () => {
  const random = createRandom(SEED + 2)
  const first = await daemon.openShim()
  for (let turn = 0; turn < 500; turn++) await first.ask(daemon.frame(randomCall(random), { agent: 'before', id: `before-${turn}` }))
  first.close()
  await sleep(6000)
  const before = daemon.residentMegabytes()
  // Frames without an end: the daemon has to keep what it got.
  const unfinished = `{"agent":"claude-code","payload":"${'x'.repeat(60_000)}`
  const held: Socket[] = []
  let peak = 0
  for (let batch = 0; batch < (FULL ? 200 : 40); batch++) {
    held.push(...(await hold(50, unfinished)))
    // Answered after it has read from the others. A new one each time: of too many connections the oldest idle one is closed.
    const between = await daemon.openShim()
    await between.ask(daemon.frame(randomCall(random), { agent: 'between', id: `between-${batch}` }))
    between.close()
    peak = Math.max(peak, daemon.residentMegabytes())
  }
  for (const socket of held) socket.destroy()
  // Until it is so; the time limit of the test ends the wait.
  while (daemon.residentMegabytes() > before * 1.3) await sleep(500)
  console.log(
    `${held.length} connections: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${daemon.residentMegabytes().toFixed(0)} after`,
  )
  const client = await daemon.openShim()
  const call = randomCall(random)
  expect(readDecision(await client.ask(daemon.frame(call, { agent: 'after', id: 'after' })))).toBe(daemon.expect(call))
  client.close()
})
