// Fifty agents at once, 500 events a second: nothing lost, nothing judged wrongly, memory flat. BELAY_TORTURE: for a minute instead of seconds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createRandom,
  FULL,
  quantile,
  randomCall,
  readDecision,
  SEED,
  startTortureDaemon,
  type ToolCall,
  type TortureDaemon,
} from './fixtures/torture-daemon.ts'

const AGENTS = 50
const PER_SECOND = 500
const SECONDS = FULL ? 60 : 3
const ROUNDS = FULL ? 24 : 4

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

interface Answered {
  readonly id: string
  readonly call: ToolCall
  readonly told: string
  readonly tookMs: number
}

/** One agent: a call every so often, whether or not the last one was answered. */
async function work(index: number, answered: Answered[]): Promise<void> {
  const random = createRandom(SEED + index)
  const client = await daemon.openShim()
  const everyMs = (1000 * AGENTS) / PER_SECOND
  const count = Math.round((SECONDS * 1000) / everyMs)
  const begun = performance.now() + (everyMs * index) / AGENTS
  const asked = Array.from({ length: count }, async (_, turn) => {
    await new Promise(resolve => setTimeout(resolve, begun + turn * everyMs - performance.now()))
    const id = `call-${index}-${turn}`
    const call = randomCall(random)
    const from = performance.now()
    const reply = await client.ask(daemon.frame(call, { agent: `agent-${index}`, id }))
    answered.push({ id, call, told: reply.busy ?? readDecision(reply), tookMs: performance.now() - from })
  })
  await Promise.all(asked)
  client.close()
}

/** Fifty agents, each with one call at a time, as real ones have. */
async function workClosely(calls: number, round: number): Promise<void> {
  const random = createRandom(SEED + round)
  let left = calls
  await Promise.all(
    Array.from({ length: AGENTS }, async (_, index) => {
      const client = await daemon.openShim()
      while (left-- > 0) await client.ask(daemon.frame(randomCall(random), { agent: `agent-${index}`, id: `close-${round}-${left}` }))
      client.close()
    }),
  )
}

test('memory does not grow with the number of calls', { timeout: 600_000 }, async () => {
  const calls = FULL ? 10_000 : 500
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await workClosely(calls, round)
    memory.push(daemon.residentMegabytes())
  }
  console.log(`memory after each ${calls} calls: ${memory.map(megabytes => megabytes.toFixed(0)).join(', ')} MB`)
  // The heap swings by tens of megabytes between two collections; what leaks raises the lowest points. The first rounds fill caches.
  const [early, late] = [memory.slice(ROUNDS / 8, ROUNDS / 2), memory.slice(ROUNDS / 2)].map(part => Math.min(...part)) as [number, number]
  if (FULL) expect(late).toBeLessThan(early * 1.15)
  expect(Math.max(...memory)).toBeLessThan(400)
})

test(`${AGENTS} agents, ${PER_SECOND} events/s for ${SECONDS} s, seed ${SEED}`, { timeout: SECONDS * 1000 + 120_000 }, async () => {
  const answered: Answered[] = []
  await Promise.all(Array.from({ length: AGENTS }, (_, index) => work(index, answered)))
  const took = answered.map(({ tookMs }) => tookMs)
  console.log(
    `${answered.length} answers: p50 ${quantile(took, 0.5).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms, most ${Math.max(...took).toFixed(1)} ms`,
  )
  expect(answered).toHaveLength(PER_SECOND * SECONDS)
  expect(answered.filter(({ call, told }) => daemon.expect(call) !== told)).toEqual([])
  // Plain yeses are on disk a moment after the answer; a clean end writes all of them.
  await daemon.cli.run(['down'])
  const recorded = await daemon.recorded()
  expect(recorded.flatMap(({ id }) => (id.startsWith('call-') ? [id] : [])).sort()).toEqual(answered.map(({ id }) => id).sort())
})
