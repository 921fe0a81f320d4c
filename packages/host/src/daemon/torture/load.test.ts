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

test(`${AGENTS} agents, ${PER_SECOND} events/s for ${SECONDS} s, seed ${SEED}`, { timeout: SECONDS * 1000 + 120_000 }, async () => {
  const answered: Answered[] = []
  const memory: number[] = []
  const timer = setInterval(() => memory.push(daemon.residentMegabytes()), 500)
  await Promise.all(Array.from({ length: AGENTS }, (_, index) => work(index, answered)))
  clearInterval(timer)
  const took = answered.map(({ tookMs }) => tookMs)
  console.log(
    `${answered.length} answers: p50 ${quantile(took, 0.5).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms, most ${Math.max(...took).toFixed(1)} ms; memory ${memory[0]?.toFixed(0)} to ${memory.at(-1)?.toFixed(0)} MB`,
  )
  expect(answered).toHaveLength(PER_SECOND * SECONDS)
  expect(answered.filter(({ call, told }) => daemon.expect(call) !== told)).toEqual([])
  // Plain yeses are on disk a moment after the answer; a clean end writes all of them.
  await daemon.cli.run(['down'])
  const recorded = await daemon.recorded()
  expect(recorded.map(({ id }) => id).sort()).toEqual(answered.map(({ id }) => id).sort())
  if (FULL) expect(quantile(memory.slice(-20), 0.5)).toBeLessThan(quantile(memory.slice(40, 60), 0.5) * 1.2)
})
