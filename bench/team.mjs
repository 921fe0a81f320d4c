// What a team costs a call: the same calls, in turns, at daemons without a hub (twice: what one differs from itself is the spread), with a
// healthy hub, with one that takes two seconds for everything, and with one that is gone. Through the socket of the client. And how long a
// held call takes from a person's decision at the hub to the agent's answer.
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startPostgres } from '../packages/hub/dist/demo/throw-away-postgres.js'

const ROUNDS = Number(process.env.BELAY_BENCH_ROUNDS ?? 3000)
const APPROVALS = Number(process.env.BELAY_BENCH_APPROVALS ?? 50)
const SLOW_MS = 2000
const BUDGET = 1.05
const BELAY = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))
const NAMES = ['no hub', 'no hub, again', 'healthy hub', 'slow hub, 2 s', 'absent hub']

const folder = mkdtempSync(join(tmpdir(), 'bbt-'))
const project = join(folder, 'project')
const run = promisify(execFile)
const postgres = await startPostgres()
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  BELAY_HUB_DATABASE_URL: await postgres.createDatabase(),
  BELAY_HUB_KEY_FILE: join(folder, 'hub.key'),
}
const homes = NAMES.map((_, at) => join(folder, `m${at}`))
let hub
let calls = 0
try {
  mkdirSync(join(project, '.git'), { recursive: true })
  await belayHub('init')
  await belayHub('people', 'add', 'abe', '--role', 'approver')
  const approver = JSON.parse((await belayHub('token', 'person', 'abe', '--json')).stdout).token
  const port = await startHub()
  const [healthy, slow, absent] = [await startProxy(port), await startProxy(port), await startProxy(port)]
  for (const home of homes) await startDaemon(home)
  for (const [at, { url }] of [
    [2, healthy],
    [3, slow],
    [4, absent],
  ]) {
    const { token } = JSON.parse((await belayHub('token', 'join', '--json')).stdout)
    await belay(homes[at], 'join', url, token, '--upload', 'bodies')
  }
  slow.delayMs = SLOW_MS
  absent.close()
  const sockets = await Promise.all(homes.map(home => openSocket(home)))
  await measure(sockets, Math.ceil(ROUNDS / 10))
  print(await measure(sockets, ROUNDS))
  printApprovals(await measureApprovals(`http://127.0.0.1:${port}`, approver, sockets[2]))
  for (const { socket } of sockets) socket.destroy()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const home of homes) await belay(home, 'down').catch(() => undefined)
  hub?.kill('SIGKILL')
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(process.exitCode ?? 0)
}

function belayHub(...args) {
  return run(process.execPath, [HUB, ...args], { cwd: folder, env })
}

function belay(home, ...args) {
  return run(process.execPath, [BELAY, ...args], { cwd: project, env: { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home } })
}

async function startDaemon(home) {
  mkdirSync(join(home, 'policy'), { recursive: true })
  const rules = 'permissions: {default: ask, actors: {"agent:*": {allow: ["Bash(ls *)", "Bash(git *)"]}}}'
  writeFileSync(join(home, 'policy', 'genesis.key'), `version: "2.0"\n${rules}\n`)
  await belay(home, 'up', '--detach', '--port', '0')
}

function startHub() {
  hub = spawn(process.execPath, [HUB, 'up', '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    hub.once('exit', code => reject(new Error(`the hub ended with ${code}`)))
    hub.stdout.on('data', chunk => {
      const [, port] = /answers at \S+:(\d+)/.exec(String(chunk)) ?? []
      if (port !== undefined) resolve(Number(port))
    })
  })
}

async function startProxy(port) {
  const open = new Set()
  const proxy = { delayMs: 0, url: '', close: () => undefined }
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      open.add(from)
      from.on('data', chunk => setTimeout(() => to.write(chunk), proxy.delayMs / 2))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${server.address().port}`
  proxy.close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  server.unref()
  return proxy
}

async function openSocket(home) {
  const socket = connect(join(home, 'run', 'shim.sock'))
  socket.setEncoding('utf8')
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return { socket, home }
}

function call({ socket, home }, program = 'ls', attended = true) {
  const command = `${program} part-${++calls}`
  const payload = { session_id: 's1', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
  const frame = {
    agent: 'claude-code',
    event: 'PreToolUse',
    'event-id': `${home}-${calls}`,
    cwd: project,
    attended,
    env: {},
    payload,
  }
  return new Promise(resolve => {
    let said = ''
    const begun = performance.now()
    const hear = chunk => {
      said += chunk
      if (!said.includes('\n')) return
      socket.off('data', hear)
      resolve(performance.now() - begun)
    }
    socket.on('data', hear)
    socket.write(`${JSON.stringify({ ...frame, 'deadline-ms': 60_000 })}\n`)
  })
}

/** Times of each, call by call in turns that begin with another one each time. */
async function measure(sockets, rounds) {
  const times = sockets.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (let n = 0; n < sockets.length; n++) {
      const at = (n + round) % sockets.length
      times[at].push(await call(sockets[at]))
    }
  return times.map(each => each.sort((a, b) => a - b))
}

/** From the moment the hub is told to the agent's answer, and from the call to the hub's list. */
async function measureApprovals(url, token, machine) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const waiting = async () => (await (await fetch(`${url}/v1/approvals?state=pending`, { headers })).json()).approvals
  await waiting()
  await new Promise(resolve => setTimeout(resolve, 2000))
  const [seen, answered] = [[], []]
  for (let n = 0; n < APPROVALS; n++) {
    const begun = performance.now()
    const held = call(machine, 'deploy', false)
    let [request] = []
    while (request === undefined) [request] = await waiting()
    const decidedAt = performance.now()
    seen.push(decidedAt - begun)
    const body = JSON.stringify({ machine: request.machine, id: request.id, decision: 'allow' })
    const answer = await fetch(`${url}/v1/approvals/decide`, { method: 'POST', headers, body })
    if (answer.status !== 200) throw new Error(await answer.text())
    await held
    answered.push(performance.now() - decidedAt)
  }
  return { seen: seen.sort((a, b) => a - b), answered: answered.sort((a, b) => a - b) }
}

function printApprovals({ seen, answered }) {
  const at = (each, share) => each[Math.min(each.length - 1, Math.floor(each.length * share))].toFixed(0)
  console.log(`\n| ${APPROVALS} held calls | p50, ms | p99, ms |\n|---|---|---|`)
  console.log(`| from the call to the hub's list | ${at(seen, 0.5)} | ${at(seen, 0.99)} |`)
  console.log(`| from the decision at the hub to the agent's answer | ${at(answered, 0.5)} | ${at(answered, 0.99)} |`)
}

function print(times) {
  const at = (each, share) => each[Math.min(each.length - 1, Math.floor(each.length * share))]
  const base = at(times[0], 0.5)
  console.log('| daemon | p50, us | p90, us | p99, us | p50 against no hub | budget |')
  console.log('|---|---|---|---|---|---|')
  for (const [n, each] of times.entries()) {
    const ratio = at(each, 0.5) / base
    const cells = [0.5, 0.9, 0.99].map(share => (at(each, share) * 1000).toFixed(0))
    console.log(`| ${NAMES[n]} | ${cells.join(' | ')} | ${ratio.toFixed(3)} | ${n < 2 ? '' : `<= ${BUDGET}`} |`)
    if (n >= 2 && ratio > BUDGET) process.exitCode = 1
  }
}
