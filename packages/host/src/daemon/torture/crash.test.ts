// kill -9 while agents call `belay hook`: the next call starts the daemon again, every refusal that was given is in the ledger, and what was
// judged without a daemon arrives once. BELAY_TORTURE: many kills.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createRandom,
  FULL,
  payloadOf,
  randomCall,
  readDecision,
  readPid,
  SEED,
  startTortureDaemon,
  type ToolCall,
  type TortureDaemon,
} from './fixtures/torture-daemon.ts'

const KILLS = FULL ? 40 : 3
const AGENTS = 3

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

interface Answered {
  readonly id: string
  readonly call: ToolCall
  readonly told: string
}

async function work(index: number, answered: Answered[], isOver: () => boolean): Promise<void> {
  const random = createRandom(SEED + index)
  for (let turn = 0; !isOver(); turn++) {
    const id = `call-${index}-${turn}`
    const call = randomCall(random)
    const { code, out, err } = await daemon.cli.run(['hook', '--agent', 'claude-code', '--event', 'PreToolUse'], {
      input: JSON.stringify(payloadOf(call, daemon.cli.project, { agent: `agent-${index}`, id })),
      env: { AGENT_ID: `agent-${index}`, BELAY_NO_AUTOSTART: '0', CLAUDE_CODE_SESSION_ATTENDED: '1' },
    })
    answered.push({ id, call, told: code === 0 ? readDecision({ stdout: out }) : `exit ${code}: ${err}` })
  }
}

/** Kills whoever serves; false: nobody did. */
function kill(): boolean {
  try {
    process.kill(readPid(daemon.paths), 'SIGKILL')
    return true
  } catch {
    return false
  }
}

const isUp = async (): Promise<boolean> => (await daemon.cli.run(['status'])).code === 0

test(`${KILLS} kills, ${AGENTS} agents, seed ${SEED}`, { timeout: 300_000 + KILLS * 10_000 }, async () => {
  const random = createRandom(SEED)
  const answered: Answered[] = []
  let isOver = false
  const agents = Array.from({ length: AGENTS }, (_, index) => work(index, answered, () => isOver))
  for (let kills = 0; kills < KILLS; ) {
    await sleep(200 + random() * 1200)
    if (kill()) kills++
  }
  // The agents go on calling; nobody starts the daemon but they.
  while (!(await isUp())) await sleep(50)
  isOver = true
  await Promise.all(agents)
  const spool = join(daemon.cli.home, 'spool')
  while (existsSync(spool) && readdirSync(spool).some(name => name.endsWith('.json'))) await sleep(100)
  await daemon.cli.run(['down'])

  const recorded = await daemon.recorded()
  const count = (id: string) => recorded.filter(entry => entry.id === id).length
  const spooled = recorded.filter(entry => entry.isSpooled)
  console.log(`${answered.length} calls, ${recorded.length} records, ${spooled.length} of them judged without a daemon`)
  expect(answered.filter(({ call, told }) => daemon.expect(call) !== told)).toEqual([])
  expect(answered.filter(({ id, told }) => (told === 'deny' || told === 'ask') && count(id) === 0)).toEqual([])
  expect(answered.filter(({ id }) => count(id) > 1)).toEqual([])
  expect(spooled.length).toBeGreaterThan(0)
  expect((await daemon.cli.run(['ledger', 'verify', '--json'])).code).toBe(0)
})
