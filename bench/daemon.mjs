// What a decision of the running daemon costs beside bare echo servers of the same kind, and beside a floor that does the least a guard must do:
// it judges the command and writes one plain row. Taken in turns inside one run: a JSON line over node:net for the shims' socket, node:http for
// the other. Calls a second depend on what else the machine does; the processor time of the serving thread does so less, and is compared too. Also its start, its memory and the status line, beside a bare Node.
import { fork, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createLineServer } from './lib/line-server.mjs'

const bin = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 15)
const CALLS = Number(process.env.BELAY_BENCH_CALLS ?? 400)
const RULES = 1000
const NET_FLOOR = 'node:net, judged, a plain SQLite row (floor)'
const HTTP_FLOOR = 'node:http, judged, a plain SQLite row (floor)'
let counter = 0

if (process.argv[2] === 'echo') serveEcho(process.argv[3], process.argv[4])
else await main()

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
  const project = join(folder, 'project')
  const home = join(folder, 'home')
  const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home }
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(join(project, '.belay', 'genesis.key'), policy())
  const belay = (args, input = '') => spawnSync(process.execPath, [bin, ...args], { cwd: project, env, input, encoding: 'utf8' })
  belay(['policy', 'trust'])
  const echo = await startServer('daemon.mjs', ['echo', join(folder, 'net.sock'), join(folder, 'http.sock')])
  const floors = [
    await startServer('lib/floor-server.mjs', [join(folder, 'row.sock'), join(folder, 'row.db'), 0]),
    await startServer('lib/floor-server.mjs', [join(folder, 'judge.sock'), join(folder, 'judge.db'), RULES]),
  ]
  try {
    const starts = measureStart(belay)
    // Not detached: in a session of its own the system would give it another share of the processor than the others.
    const { pid } = spawn(process.execPath, [bin, 'up', '--port', '0'], { cwd: project, env, stdio: 'ignore' })
    while (JSON.parse(belay(['status', '--json']).stdout || '{}').pid !== pid) await sleep(100)
    const rest = residentMegabytes(pid)
    const doors = describeDoors({ folder, home, project, pids: { daemon: pid, echo: echo.pid, row: floors[0].pid, judge: floors[1].pid } })
    const results = await measureRoundTrips(doors)
    printRoundTrips(results)
    console.log('')
    printBesideFloor(doors, results)
    console.log('')
    printStarts({ ...starts, ...measureStatusLine(belay) })
    console.log(`\nmemory at rest ${rest.toFixed(0)} MB (budget 90), after the load above ${residentMegabytes(pid).toFixed(0)} MB`)
  } finally {
    belay(['down'])
    for (const server of [echo, ...floors]) server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function policy() {
  const rules = Array.from({ length: RULES }, (_, index) => `        - "Bash(prog${index % 97} sub${index} *)"`)
  const half = rules.length / 2
  return `version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      allow:\n${rules.slice(0, half).join('\n')}\n      deny:\n${rules.slice(half).join('\n')}\n`
}

/** About 600 bytes, as Claude Code sends them; a command never seen before. */
function payload(project, command) {
  const fresh = command ?? `prog${counter++ % 97} build --target ${counter} --verbose`
  return JSON.stringify({
    session_id: '0b5c2f0e-6a3f-4b1e-9a52-1c8f9d3e7a10',
    transcript_path: '/home/dev/.claude/projects/repo/0b5c2f0e-6a3f-4b1e-9a52-1c8f9d3e7a10.jsonl',
    cwd: project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: fresh, description: `Builds the target of this step and prints what it did, step ${counter}` },
    tool_use_id: `toolu_01${String(counter).padStart(20, '0')}`,
  })
}

function describeDoors({ folder, home, project, pids }) {
  const frame = command =>
    `{"agent":"claude-code","event":"PreToolUse","cwd":${JSON.stringify(project)},"attended":false,"env":{},"payload":${payload(project, command)}}\n`
  const post = path => {
    const body = payload(project)
    return `POST ${path} HTTP/1.1\r\nhost: belay\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
  const shim = join(home, 'run', 'shim.sock')
  return {
    'node:net echo': { pid: pids.echo, socket: join(folder, 'net.sock'), request: () => frame(), isWhole: isLine },
    'echo with a plain SQLite row': { pid: pids.row, socket: join(folder, 'row.sock'), request: () => frame(), isWhole: isLine },
    [NET_FLOOR]: { pid: pids.judge, socket: join(folder, 'judge.sock'), request: () => frame(), isWhole: isLine },
    'shim socket': { pid: pids.daemon, socket: shim, request: () => frame(), isWhole: isLine, budget: 0.8 },
    'shim socket, commands that came before': {
      pid: pids.daemon,
      socket: shim,
      request: () => frame(`prog${counter++ % 20} build`),
      isWhole: isLine,
      budget: 1.2,
    },
    'shim socket, on disk first': {
      pid: pids.daemon,
      socket: shim,
      request: () => frame(`prog${(RULES - 1) % 97} sub${RULES - 1} x${counter++}`),
      isWhole: isLine,
      denied: true,
    },
    'node:http echo': { pid: pids.echo, socket: join(folder, 'http.sock'), request: () => post('/'), isWhole: isResponse },
    [HTTP_FLOOR]: { pid: pids.judge, socket: join(folder, 'judge.sock.http'), request: () => post('/'), isWhole: isResponse },
    'HTTP socket': {
      pid: pids.daemon,
      budget: 0.7,
      socket: join(home, 'run', 'daemon.sock'),
      request: () => post('/v1/hooks/claude-code/PreToolUse'),
      isWhole: isResponse,
    },
  }
}

function isLine(text) {
  return text.endsWith('\n')
}

function isResponse(text) {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /content-length: (\d+)/i.exec(text)
  return length === null ? text.endsWith('0\r\n\r\n') : Buffer.byteLength(text.slice(head + 4)) >= Number(length[1])
}

async function measureRoundTrips(doors) {
  const results = {}
  for (const name of Object.keys(doors)) results[name] = { one: [], fresh: [], sixteen: [], cpu: [] }
  for (let turn = 0; turn < TURNS + 2; turn++) {
    for (const [name, door] of Object.entries(doors)) {
      const taken = {
        one: await roundTrips(door, 1, CALLS),
        sixteen: await roundTrips(door, 16, CALLS * 4),
        fresh: await freshTrips(door, CALLS / 8),
      }
      // The first turns warm both sides up.
      if (turn < 2) continue
      results[name].one.push(...taken.one.each)
      results[name].fresh.push(...taken.fresh)
      results[name].sixteen.push(taken.sixteen.perSecond)
      results[name].cpu.push(taken.sixteen.cpu)
    }
  }
  return results
}

async function roundTrips(door, clients, calls) {
  const each = []
  let left = calls
  const cpu = readThreadCpu(door.pid)
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const ask = await open(door)
      while (left-- > 0) each.push(await ask())
      ask.close()
    }),
  )
  return { each, perSecond: (calls / (performance.now() - begun)) * 1000, cpu: (readThreadCpu(door.pid) - cpu) / calls }
}

async function freshTrips(door, calls) {
  const each = []
  for (let call = 0; call < calls; call++) {
    const begun = performance.now()
    const ask = await open(door)
    await ask()
    ask.close()
    each.push(performance.now() - begun)
  }
  return each
}

/** One connection; a call gives its milliseconds. */
function open({ socket, request, isWhole, denied }) {
  return new Promise((resolve, reject) => {
    let text = ''
    let done = null
    let begun = 0
    const connection = connect(socket, () => {
      const ask = () =>
        new Promise(settle => {
          done = settle
          const bytes = request()
          begun = performance.now()
          connection.write(bytes)
        })
      resolve(Object.assign(ask, { close: () => connection.destroy() }))
    })
    connection.setEncoding('utf8')
    connection.on('error', reject)
    connection.on('data', piece => {
      text += piece
      if (!isWhole(text)) return
      const took = performance.now() - begun
      if (text.includes('"busy"') || (denied === true && !text.includes('deny')))
        throw new Error(`not the answer that was to be measured: ${text}`)
      text = ''
      done(took)
    })
  })
}

function printRoundTrips(results) {
  const rows = Object.entries(results).map(([name, { one, fresh, sixteen }]) => {
    const reference = results[name.includes('HTTP') || name.includes('http') ? 'node:http echo' : 'node:net echo']
    return {
      name,
      'us p50, 1 client': (quantile(one, 0.5) * 1000).toFixed(0),
      'x echo': ratio(quantile(one, 0.5), quantile(reference.one, 0.5)),
      p99: (quantile(one, 0.99) * 1000).toFixed(0),
      'us p50, new connection': (quantile(fresh, 0.5) * 1000).toFixed(0),
      'x echo ': ratio(quantile(fresh, 0.5), quantile(reference.fresh, 0.5)),
      'calls/s, 16 clients': quantile(sixteen, 0.5).toFixed(0),
      'of echo': `${((quantile(sixteen, 0.5) / quantile(reference.sixteen, 0.5)) * 100).toFixed(0)} %`,
    }
  })
  printTable(rows)
}

/** Turn by turn, because a busy machine is busy for both. */
function printBesideFloor(doors, results) {
  const rows = Object.entries(doors).flatMap(([name, { budget }]) => {
    const { sixteen, cpu } = results[name]
    const floor = results[/http/i.test(name) ? HTTP_FLOOR : NET_FLOOR]
    if (budget === undefined && results[name] !== floor) return []
    const beside = (values, others) =>
      quantile(
        values.map((value, turn) => value / others[turn]),
        0.5,
      ).toFixed(2)
    return {
      'beside the floor, 16 clients': name,
      'calls/s': quantile(sixteen, 0.5).toFixed(0),
      'x floor': beside(sixteen, floor.sixteen),
      'us of the serving thread': quantile(cpu, 0.5).toFixed(1),
      'x floor ': beside(floor.cpu, cpu),
      budget: budget === undefined ? '' : `>= ${budget}`,
    }
  })
  printTable(rows)
}

/** Microseconds of its main thread, where the system says; else nothing is compared. */
function readThreadCpu(pid) {
  const file = `/proc/${pid}/task/${pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1000 : Number.NaN
}

function measureStart(belay) {
  const times = { bare: [], up: [] }
  for (let turn = 0; turn < Math.max(5, TURNS / 2); turn++) {
    times.bare.push(time(() => spawnSync(process.execPath, ['-e', '0'])))
    times.up.push(time(() => must(belay(['up', '--detach', '--port', '0']))))
    belay(['down'])
  }
  return times
}

function measureStatusLine(belay) {
  const told = JSON.stringify({ session_id: 's1', cwd: '/', context_window: { used_percentage: 40 } })
  const line = []
  for (let turn = 0; turn < TURNS; turn++) line.push(time(() => must(belay(['statusline'], told))))
  return { line }
}

function printStarts({ bare, up, line }) {
  const row = (name, times, budget) => ({
    name,
    'ms p50': quantile(times, 0.5).toFixed(0),
    'x node': ratio(quantile(times, 0.5), quantile(bare, 0.5)),
    budget,
  })
  printTable([row('node -e 0', bare, ''), row('up --detach to first answer', up, '8'), row('statusline', line, '1.6')])
}

function residentMegabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function serveEcho(netPath, httpPath) {
  const net = createLineServer((line, socket) => {
    const { agent } = JSON.parse(line)
    // As hook clients read it.
    socket.write(`${JSON.stringify({ exit: 0, stdout: agent, stderr: '' })}\n`)
  })
  const http = createHttpServer((request, response) => {
    const pieces = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      const { session_id } = JSON.parse(Buffer.concat(pieces).toString())
      const body = JSON.stringify({ session_id })
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    })
  })
  net.listen(netPath, () => http.listen(httpPath, () => process.send('up')))
}

function startServer(script, words) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), words.map(String))
  return new Promise(resolve => child.once('message', () => resolve(child)))
}

function time(run) {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

function must(result) {
  if (result.status !== 0) throw new Error(`belay ended with ${result.status}: ${result.stderr}${result.stdout}`)
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}

function ratio(value, reference) {
  return (value / reference).toFixed(2)
}

function printTable(rows) {
  const names = Object.keys(rows[0])
  const widths = names.map(name => Math.max(name.length, ...rows.map(row => String(row[name]).length)))
  const line = cells =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(widths[index]) : String(cell).padStart(widths[index]))).join('  ')
  console.log([line(names), ...rows.map(row => line(names.map(name => row[name])))].join('\n'))
}
