// A whole team as processes while everything breaks: daemons, two hubs behind a proxy, PostgreSQL. Agents call, ask and are answered; the
// database is killed and started again, hubs are killed, connections cut, halved and delayed, a daemon is killed, one machine lives in 1999.
// Nothing is lost or taken twice, every chain verifies on both sides, each request is decided once and as its agent is told. `.ci/run` runs it
// with 12 machines and 240 agents for a minute, `npm run torture -- --only team` for ten: BELAY_TEAM_SECONDS, BELAY_TEAM_MACHINES,
// BELAY_TEAM_AGENTS, BELAY_TEAM_KILLS; there BELAY_TEAM_P99_MS bounds the time from a decision to its agent, where the machine is connected.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { createApprover, type Made, measure, type Outage, quantile } from './fixtures/approver.ts'
import { type Chaos, type ChaosProxy, startChaosProxy } from './fixtures/chaos-proxy.ts'
import { makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

const BELAY = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const SECONDS = Number(process.env.BELAY_TEAM_SECONDS ?? 10)
const MACHINES = Number(process.env.BELAY_TEAM_MACHINES ?? 3)
const AGENTS = Number(process.env.BELAY_TEAM_AGENTS ?? MACHINES * 4)
/** Kills of the database and of hubs, each. */
const KILLS = Number(process.env.BELAY_TEAM_KILLS ?? 2)
const P99_MS = Number(process.env.BELAY_TEAM_P99_MS ?? Number.POSITIVE_INFINITY)
/** Between two calls of an agent, on average: about a hundred calls a second in all, however many agents there are. */
const PAUSE_MS = Math.max(400, AGENTS * 10)
const RULES = `version: "2.0"
permissions:
  default: ask
  actors: {"agent:*": {allow: ["Bash(ls *)"], deny: ["Bash(git push *)"]}}
`

const run = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 * 1024
let world: TeamWorld
let token: string
const daemons = new Map<string, ChildProcess>()

beforeAll(async () => {
  world = await makeTeamWorld()
  world.belayHub('init', '--admin', 'ana', '--json')
  world.belayHub('people', 'add', 'abe', '--role', 'approver')
  token = JSON.parse(world.belayHub('token', 'person', 'abe', '--json').out).token
})
afterAll(async () => {
  for (const daemon of daemons.values()) daemon.kill('SIGKILL')
  await world.close()
})

const envOf = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: world.folder,
  BELAY_HOME: home,
  BELAY_NO_AUTOSTART: '1',
})
const belay = async (home: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, [BELAY, ...args], { cwd: world.project, env: envOf(home), maxBuffer: MAX_OUTPUT })).stdout

/** The clock of one machine says 1999, by a library that is loaded before everything else. */
const SHIFT = `const shift = Date.now() - Date.parse('1999-06-01T00:00:00Z')
const now = Date.now.bind(Date)
Date.now = () => now() - shift
globalThis.Date = class extends Date {
  constructor(...words) { words.length === 0 ? super(Date.now()) : super(...words) }
  static now() { return now() - shift }
}
`

async function startDaemon(home: string, isOld: boolean): Promise<void> {
  const old = join(world.folder, 'old.cjs')
  writeFileSync(old, SHIFT)
  const more = isOld ? ['--require', old] : []
  const daemon = spawn(process.execPath, [...more, BELAY, 'up', '--port', '0'], {
    cwd: world.project,
    env: envOf(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  daemons.set(home, daemon)
  await new Promise<void>((resolve, reject) => {
    daemon.stdout.once('data', () => resolve())
    daemon.once('exit', code => reject(new Error(`the daemon ended with ${code}`)))
  })
}

interface Asked {
  readonly command: string
  readonly answer: string
  readonly atMs: number
}

/** One agent: calls, and now and then one that must be asked for. A daemon that is gone is one that it comes back to. */
async function actAsAgent(home: string, agent: string, chaos: Chaos, asked: Asked[]): Promise<void> {
  for (let n = 0; chaos.isOn; n++) {
    const isAsk = n % 20 === 7
    const command = isAsk ? `deploy ${agent} ${n}` : n % 5 === 0 ? 'git push origin' : `ls ${agent}-${n}`
    const answer = await callOnce(home, agent, { command, attended: !isAsk, id: `${agent}-${n}` })
    if (isAsk && answer !== '') asked.push({ command, answer, atMs: performance.now() })
    await sleep(PAUSE_MS * (0.5 + Math.random()))
  }
}

/** Empty: nobody answered. */
function callOnce(
  home: string,
  session: string,
  { command, attended, id }: { command: string; attended: boolean; id: string },
): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(join(home, 'run', 'shim.sock'))
    let said = ''
    const end = (): void => {
      socket.destroy()
      resolve(said)
    }
    socket.setEncoding('utf8')
    socket.on('error', end)
    socket.on('close', end)
    socket.on('data', chunk => {
      said += chunk
      if (said.includes('\n')) end()
    })
    const payload = { session_id: session, cwd: world.project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
    const frame = {
      agent: 'claude-code',
      event: 'PreToolUse',
      'event-id': `${home}-${id}`,
      cwd: world.project,
      attended,
      'deadline-ms': 30_000,
      env: {},
    }
    socket.write(`${JSON.stringify({ ...frame, payload })}\n`)
  })
}

type Hubs = Awaited<ReturnType<TeamWorld['startHub']>>[]

/** Gives the times in which there was no database. */
async function breakThings(hubs: Hubs, homes: readonly string[], chaos: Chaos): Promise<readonly Outage[]> {
  const outages: Outage[] = []
  const pause = (SECONDS * 1000) / (2 * KILLS + 2)
  for (let n = 0; n < KILLS; n++) {
    await sleep(pause)
    const fromMs = performance.now()
    await world.postgres.kill()
    await sleep(300)
    await world.postgres.start()
    outages.push({ fromMs, toMs: performance.now() })
    await sleep(pause)
    const at = n % hubs.length
    const killed = hubs[at]
    if (killed) {
      killed.hub.kill('SIGKILL')
      hubs[at] = await restart(Number(new URL(killed.url).port))
    }
    if (n === 0) await killDaemon(homes[1] ?? '')
  }
  await sleep(pause)
  chaos.isOn = false
  return outages
}

async function restart(port: number): ReturnType<TeamWorld['startHub']> {
  for (;;) {
    const started = await world.startHub(port).catch(() => undefined)
    if (started) return started
    await sleep(200)
  }
}

async function killDaemon(home: string): Promise<void> {
  const daemon = daemons.get(home)
  const gone = new Promise(resolve => daemon?.once('exit', resolve))
  daemon?.kill('SIGKILL')
  await gone
  await startDaemon(home, false)
}

test(
  `${MACHINES} daemons and ${AGENTS} agents for ${SECONDS} s: nothing is lost, doubled or undecided, and nobody is named`,
  async () => {
    const hubs = [await world.startHub(), await world.startHub()]
    const chaos: Chaos = { isOn: false }
    const proxies = new Map<string, ChaosProxy>()
    const homes: string[] = []
    for (let n = 0; n < MACHINES; n++) {
      const home = join(world.folder, `m${n}`)
      mkdirSync(join(home, 'policy'), { recursive: true })
      writeFileSync(join(home, 'policy', 'genesis.key'), RULES)
      writeFileSync(join(home, 'config.toml'), 'person = "mia"\n')
      const proxy = await startChaosProxy(() => hubs.map(({ url }) => Number(new URL(url).port)), chaos)
      proxies.set(`m${n}`, proxy)
      await startDaemon(home, n === 0)
      await belay(home, 'join', proxy.url, world.joinToken(), '--name', `m${n}`, '--upload', n % 2 === 0 ? 'index' : 'bodies')
      homes.push(home)
    }
    const asked: Asked[] = []
    chaos.isOn = true
    const approver = createApprover({
      token,
      chaos,
      hubs: () => hubs.map(({ url }) => url),
      waiting: machine => proxies.get(machine)?.waiting() ?? null,
    })
    const agents = Array.from({ length: AGENTS }, (_, n) => actAsAgent(homes[n % MACHINES] ?? '', `a${n}`, chaos, asked))
    const [outages] = await Promise.all([breakThings(hubs, homes, chaos), approver.run(), ...agents])

    for (const home of homes) {
      await belay(home, 'ledger', 'checkpoint')
      await expect
        .poll(async () => JSON.parse(await belay(home, 'team', 'status', '--json')).state, { timeout: 300_000 })
        .toMatchObject({ error: null, isFork: false })
    }
    const counts = await countEntries(homes)
    expect(counts.held).toEqual(counts.recorded)
    for (const home of homes) expect(JSON.parse(await belay(home, 'ledger', 'verify', '--json'))).toMatchObject({ ok: true })
    expect(world.belayHub('verify')).toMatchObject({ code: 0 })
    await expectDecidedOnce(homes)
    expect({ twice: approver.twice, stale: approver.stale, otherwise: findOtherwise(approver.made, asked) }).toEqual({
      twice: [],
      stale: [],
      otherwise: [],
    })
    const times = measure(approver.made, asked, outages)
    expect(times.length).toBeGreaterThan(0)
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)].map(Math.round)
    console.log(
      `${counts.recorded.reduce((sum, { n }) => sum + n, 0)} entries; ${asked.length} asked, ${approver.made.size} decided; a decision at its agent after ${half} ms (p50), ${most} ms (p99) of ${times.length} on connected machines`,
    )
    expect(most).toBeLessThan(P99_MS)
    for (const proxy of proxies.values()) proxy.close()
  },
  SECONDS * 1000 + 900_000,
)

/** Agents that were told something else than what was decided. One whose time was over before it heard of the decision is told no. */
function findOtherwise(made: ReadonlyMap<string, Made>, asked: readonly Asked[]): readonly Asked[] {
  return asked.filter(({ command, answer }) => answer.includes('"allow"') && made.get(command)?.decision === 'deny')
}

/** By the record of the hub and by those of the machines, whose outcome is what was decided, or that its time was over. */
async function expectDecidedOnce(homes: readonly string[]): Promise<void> {
  const decided = "SELECT body::jsonb->>'id' AS id FROM act WHERE kind = 'approval_decided'"
  expect(await query(world.databaseUrl, `${decided} GROUP BY 1, body::jsonb->>'machine' HAVING count(*) > 1`)).toEqual([])
  const other = "SELECT id, state, outcome FROM approval WHERE via = 'hub' AND outcome NOT IN (state, 'expired')"
  expect(await query(world.databaseUrl, other)).toEqual([])
  for (const home of homes) {
    const lines = (await belay(home, 'ledger', 'tail', '--kind', 'approval_decided', '--lines', '10000', '--json')).trim().split('\n')
    const ids = lines.filter(line => line !== '').map(line => JSON.parse(line).body.approval)
    expect(ids.length).toBe(new Set(ids).size)
  }
}

/** What machines recorded and what the hub holds, by machine, once both stand still; and each place once. */
async function countEntries(homes: readonly string[]): Promise<{ recorded: { name: string; n: number }[]; held: unknown[] }> {
  const look = async () => {
    const recorded = await Promise.all(
      homes.map(async (home, n) => ({ name: `m${n}`, n: Number(JSON.parse(await belay(home, 'team', 'status', '--json')).state.head) })),
    )
    const held = await query(
      world.databaseUrl,
      'SELECT m.name, count(*)::int AS n FROM entry e JOIN chain c ON c.id = e.chain JOIN machine m ON m.id = c.machine GROUP BY m.name HAVING count(*) = count(DISTINCT e.seq) AND count(*) = max(e.seq) ORDER BY length(m.name), m.name',
    )
    return { recorded, held: [...held] }
  }
  for (let tries = 0; ; tries++) {
    const found = await look()
    if (tries > 300 || JSON.stringify(found.recorded) === JSON.stringify(found.held)) return found
    await sleep(1000)
  }
}
