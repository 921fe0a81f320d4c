// A whole team as processes while everything breaks: daemons, two hubs behind a proxy, PostgreSQL. Agents call, ask and are answered; the
// database is killed and started again, hubs are killed, connections cut, halved and delayed, a daemon is killed, one machine lives in 1999.
// Nothing is lost or taken twice, every chain verifies on both sides, each request is decided once. `npm run torture -- --only team` runs it
// with 12 machines and 240 agents for ten minutes: BELAY_TEAM_SECONDS, BELAY_TEAM_MACHINES, BELAY_TEAM_AGENTS.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { type Chaos, startChaosProxy } from './fixtures/chaos-proxy.ts'
import { makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

const BELAY = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const SECONDS = Number(process.env.BELAY_TEAM_SECONDS ?? 10)
const MACHINES = Number(process.env.BELAY_TEAM_MACHINES ?? 3)
const AGENTS = Number(process.env.BELAY_TEAM_AGENTS ?? MACHINES * 4)
/** Kills of the database and of hubs, each. */
const KILLS = Number(process.env.BELAY_TEAM_KILLS ?? 2)
const RULES = `version: "2.0"
permissions:
  default: ask
  actors: {"agent:*": {allow: ["Bash(ls *)"], deny: ["Bash(git push *)"]}}
`

const run = promisify(execFile)
let world: TeamWorld
let approver: string
const daemons = new Map<string, ChildProcess>()

beforeAll(async () => {
  world = await makeTeamWorld()
  world.belayHub('init', '--admin', 'ana', '--json')
  world.belayHub('people', 'add', 'abe', '--role', 'approver')
  approver = JSON.parse(world.belayHub('token', 'person', 'abe', '--json').out).token
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
  (await run(process.execPath, [BELAY, ...args], { cwd: world.project, env: envOf(home) })).stdout

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
  readonly home: string
  readonly command: string
  readonly answer: string
}

/** One agent: calls, and now and then one that must be asked for. A daemon that is gone is one that it comes back to. */
async function actAsAgent(home: string, agent: string, chaos: Chaos, asked: Asked[]): Promise<void> {
  for (let n = 0; chaos.isOn; n++) {
    const isAsk = n % 20 === 7
    const command = isAsk ? `deploy ${agent} ${n}` : n % 5 === 0 ? 'git push origin' : `ls ${agent}-${n}`
    const answer = await callOnce(home, agent, { command, attended: !isAsk, id: `${agent}-${n}` })
    if (isAsk && answer !== '') asked.push({ home, command, answer })
    await sleep(200 + Math.random() * 400)
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

interface Request {
  readonly machine: string
  readonly id: string
}

/** An approver who looks all the time and decides everything at once, twice: only one of the two counts. */
async function approveAll(url: string, chaos: Chaos, seen: Map<string, number>): Promise<void> {
  const headers = { authorization: `Bearer ${approver}`, 'content-type': 'application/json' }
  const ask = (path: string, body?: unknown) =>
    fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5000),
    })
      .then(async answer => ({ status: answer.status, body: (await answer.json()) as { approvals?: Request[] } }))
      .catch(() => undefined)
  while (chaos.isOn) {
    const found = await ask('/v1/approvals?state=pending')
    await Promise.all(
      (found?.body.approvals ?? []).map(async ({ machine, id }) => {
        const decide = (decision: string) => ask('/v1/approvals/decide', { machine, id, decision })
        const answers = await Promise.all([decide('allow'), decide('deny')])
        const counted = answers.filter(answer => answer?.status === 200).length
        seen.set(id, (seen.get(id) ?? 0) + counted)
      }),
    )
    await sleep(100)
  }
}

async function breakThings(hubs: Awaited<ReturnType<TeamWorld['startHub']>>[], homes: readonly string[], chaos: Chaos): Promise<void> {
  const pause = (SECONDS * 1000) / (2 * KILLS + 2)
  for (let n = 0; n < KILLS; n++) {
    await sleep(pause)
    await world.postgres.kill()
    await sleep(300)
    await world.postgres.start()
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
    const proxy = await startChaosProxy(() => hubs.map(({ url }) => Number(new URL(url).port)), chaos)
    const homes: string[] = []
    for (let n = 0; n < MACHINES; n++) {
      const home = join(world.folder, `m${n}`)
      mkdirSync(join(home, 'policy'), { recursive: true })
      writeFileSync(join(home, 'policy', 'genesis.key'), RULES)
      writeFileSync(join(home, 'config.toml'), 'person = "mia"\n')
      await startDaemon(home, n === 0)
      await belay(home, 'join', proxy.url, world.joinToken(), '--name', `m${n}`, '--upload', n % 2 === 0 ? 'index' : 'bodies')
      homes.push(home)
    }
    const asked: Asked[] = []
    const decided = new Map<string, number>()
    chaos.isOn = true
    const agents = Array.from({ length: AGENTS }, (_, n) => actAsAgent(homes[n % MACHINES] ?? '', `a${n}`, chaos, asked))
    await Promise.all([breakThings(hubs, homes, chaos), approveAll(proxy.url, chaos, decided), ...agents])

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
    // Somebody decided, and nothing twice, however often it was tried.
    expect([...decided.values()].filter(count => count > 1)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    expect(
      await query(
        world.databaseUrl,
        "SELECT body::jsonb->>'id' AS id FROM act WHERE kind = 'approval_decided' GROUP BY 1, body::jsonb->>'machine' HAVING count(*) > 1",
      ),
    ).toEqual([])
    proxy.close()
  },
  SECONDS * 1000 + 900_000,
)

/** What machines recorded and what the hub holds, by machine, once both stand still; and each place once. */
async function countEntries(homes: readonly string[]): Promise<{ recorded: unknown[]; held: unknown[] }> {
  const look = async () => {
    const recorded = await Promise.all(
      homes.map(async (home, n) => ({ name: `m${n}`, n: JSON.parse(await belay(home, 'team', 'status', '--json')).state.head })),
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
