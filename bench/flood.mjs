// What a flood does to the daemon: how long another client waits while one floods, or twenty do, beside a bare echo server under the same
// flood; and what of the memory that 10,000 connections took is given back within a minute.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const bin = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const CONNECTIONS = Number(process.env.BELAY_BENCH_CONNECTIONS ?? 10_000)
const BATCH = 250
const CALLS = 200
const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(ls *)"]
      deny: ["Bash(rm *)"]
`
const ECHO = `const path = process.argv[1]
require('node:net').createServer(socket => {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  socket.on('data', piece => {
    text += piece
    let out = ''
    for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
      JSON.parse(text.slice(0, end))
      text = text.slice(end + 1)
      out += '{"exit":0,"stdout":"","stderr":""}\\n'
    }
    socket.write(out)
  })
}).listen(path, () => console.log('up'))`
let counter = 0
const describe = times => `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`

const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
const project = join(folder, 'project')
const home = join(folder, 'home')
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home }
const belay = args => spawnSync(process.execPath, [bin, ...args], { cwd: project, env, encoding: 'utf8' })
mkdirSync(join(project, '.belay'), { recursive: true })
writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
belay(['policy', 'trust'])
try {
  const up = belay(['up', '--detach', '--port', '0'])
  if (up.status !== 0) throw new Error(`belay ended with ${up.status}: ${up.stderr}`)
  const { pid } = JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8'))
  for (const floods of [1, 20]) await measureWait(floods)
  if (CONNECTIONS > 0) await measureMemories(pid)
} finally {
  belay(['down'])
  rmSync(folder, { recursive: true, force: true })
}

async function measureMemories(pid) {
  await measureMemory(pid, 'answered and gone', async sockets => {
    await Promise.all(sockets.map(socket => ask(socket, frame('fresh'))))
    for (const socket of sockets) socket.destroy()
  })
  await measureMemory(pid, 'held, each with 30 KB of a frame', async sockets => {
    for (const socket of sockets) socket.write(frame('held', 30_000).slice(0, -1))
  })
}

/** The same flood, once on the daemon and once on a server that answers every line with the same one: what of the wait is ours. */
async function measureWait(floods) {
  const daemon = await timeFlood(join(home, 'run', 'shim.sock'), floods)
  const echo = await startEcho()
  const bare = await timeFlood(echo.path, floods)
  echo.end()
  const row = ({ alone, beside }) => `alone ${describe(alone)}, in the flood ${describe(beside)}`
  const ratio = quantile(daemon.beside, 0.99) / quantile(bare.beside, 0.99)
  console.log(`${floods} flooding: a call of another client ${row(daemon)} (budget p99 100 on a quiet machine)`)
  console.log(`  a bare echo server: ${row(bare)}; p99 in the flood is ${ratio.toFixed(1)}x that`)
  console.log(`  the flood was served ${daemon.rate.toFixed(0)} calls a second, by the echo server ${bare.rate.toFixed(0)}`)
}

async function timeFlood(path, floods) {
  const quiet = await open(path)
  const alone = await timeCalls(quiet)
  const flooding = await Promise.all(Array.from({ length: floods }, () => open(path)))
  let isOver = false
  let served = 0
  const flood = async (socket, at) => {
    while (!isOver) {
      await Promise.all(Array.from({ length: 500 }, () => ask(socket, frame(`flood-${at}`))))
      served += 500
    }
  }
  const begun = performance.now()
  const all = flooding.map(flood)
  const beside = await timeCalls(quiet)
  const rate = (served * 1000) / (performance.now() - begun)
  isOver = true
  await Promise.all(all)
  for (const socket of [quiet, ...flooding]) socket.destroy()
  return { alone, beside, rate }
}

async function startEcho() {
  const path = join(folder, 'echo.sock')
  rmSync(path, { force: true })
  const child = spawn(process.execPath, ['-e', ECHO, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  return { path, end: () => child.kill() }
}

async function timeCalls(socket) {
  const times = []
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now()
    await ask(socket, frame('quiet'))
    times.push(performance.now() - begun)
    await sleep(5)
  }
  return times
}

async function measureMemory(pid, name, use) {
  await sleep(12_000)
  const before = residentMegabytes(pid)
  const held = []
  let peak = before
  for (let made = 0; made < CONNECTIONS; made += BATCH) {
    const sockets = (await Promise.all(Array.from({ length: BATCH }, () => open().catch(() => null)))).filter(socket => socket !== null)
    await use(sockets)
    held.push(...sockets)
    peak = Math.max(peak, residentMegabytes(pid))
  }
  for (const socket of held) socket.destroy()
  const begun = performance.now()
  while (residentMegabytes(pid) > before * 1.3 && performance.now() - begun < 60_000) await sleep(500)
  const after = residentMegabytes(pid)
  const took = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `${held.length} connections, ${name}: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${after.toFixed(0)} after ${took} s: ${(after / before).toFixed(2)}x (budget 1.3x within 60 s)`,
  )
}

function frame(agent, padding = 0) {
  const id = `${agent}-${counter++}`
  const input = { command: `ls ${id}`, description: 'x'.repeat(padding) }
  const payload = { session_id: agent, cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input, tool_use_id: id }
  const head = { agent: 'claude-code', event: 'PreToolUse', 'event-id': id, cwd: project, attended: false, env: { AGENT_ID: agent } }
  return `${JSON.stringify({ ...head, payload })}\n`
}

function open(path = join(home, 'run', 'shim.sock')) {
  return new Promise((resolve, reject) => {
    const waiting = []
    const socket = connect(path, () => resolve(Object.assign(socket, { waiting })))
    let text = ''
    const settle = () => {
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        waiting.shift()?.()
        text = text.slice(end + 1)
      }
    }
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', piece => {
      text += piece
      settle()
    })
    // Whoever is refused has its answer.
    socket.on('close', () => {
      for (const done of waiting.splice(0)) done()
    })
  })
}

/** Answers come in the order of the calls. */
function ask(socket, text) {
  return new Promise(resolve => {
    if (socket.destroyed) return resolve()
    socket.waiting.push(resolve)
    socket.write(text)
  })
}

function residentMegabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}
