// What one hook call costs, from the start of the client to its end: the three clients with the real daemon and a policy of 1,000 rules,
// beside programs that do nothing, the same client asking a server that only echoes, and the npm guard that is fastest. The line of a hook is
// measured against the same line with `/bin/true` in the client's place. All rows run in turns inside one run.
import { fork, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUNDS = Number(process.env.BELAY_BENCH_ROUNDS ?? 300)
/** Rows that start Node take their time; they need fewer turns. */
const SLOW_ROUNDS = Math.max(10, Math.floor(ROUNDS / 10))
const CALLS_BEFORE = 5000
const bin = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const net = fileURLToPath(new URL('node_modules/cc-safety-net/dist/bin/cc-safety-net.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
const home = join(folder, 'belay')
const project = join(folder, 'project')
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
const env = { ...environment, HOME: folder, CLAUDE_CONFIG_DIR: join(folder, '.claude'), BELAY_HOME: home, BELAY_NO_AUTOSTART: '1' }
/** A home whose shim socket is served by an echo: what of a row is the machine's and not ours. */
const echoHome = join(folder, 'echo')
/** Another that has each call on disk, as one row of plain SQLite, before it answers. */
const floorHome = join(folder, 'floor')
const payloads = { quiet: join(folder, 'quiet.json'), denied: join(folder, 'denied.json') }

const servers = []
try {
  prepare()
  await startEchoes()
  const clients = { native: buildClient('native', home), perl: buildClient('perl', home) }
  // A client asks the daemon of the home it was built for.
  const echo = clients.native && buildClient('native', echoHome)
  const floor = clients.native && buildClient('native', floorHome)
  const young =
    clients.native === null
      ? []
      : measure(
          [
            { name: 'true ', words: ['true'] },
            { name: 'native client, the daemon just started', words: hook(clients.native.path), against: 'true ' },
          ],
          { rounds: SLOW_ROUNDS, payload: payloads.quiet },
        )
  await age()
  const fast = measure(
    [
      { name: 'true', words: ['true'] },
      { name: 'sh -c :', words: ['sh', '-c', ':'] },
      ...(clients.native === null
        ? []
        : [
            { name: 'the line with /bin/true', words: ['sh', '-c', idleLine(clients.native)] },
            { name: 'native client to an echo', words: hook(echo.path), against: 'true' },
            { name: 'native client', words: hook(clients.native.path), against: 'true', budget: 1 },
            { name: 'the line with the native client to an echo', words: ['sh', '-c', echo.line], against: 'the line with /bin/true' },
            // What it costs that the line does not exec.
            {
              name: 'native client, by exec in sh -c',
              words: ['sh', '-c', `exec ${hook(clients.native.path).join(' ')}`],
              against: 'sh -c :',
            },
            {
              name: 'the line with the native client',
              words: ['sh', '-c', clients.native.line],
              against: 'the line with /bin/true',
              budget: 1,
            },
          ]),
      ...(clients.perl === null
        ? []
        : [
            { name: 'perl -e 0', words: ['perl', '-e', '0'], against: 'true' },
            { name: 'perl client', words: hook(clients.perl.path), against: 'true', budget: 4 },
          ]),
      ...curl(),
    ],
    { rounds: ROUNDS, payload: payloads.quiet },
  )
  const durable = measure(
    clients.native === null
      ? []
      : [
          { name: 'the line with /bin/true ', words: ['sh', '-c', idleLine(clients.native)] },
          { name: 'the line with the native client to an echo ', words: ['sh', '-c', echo.line], against: 'the line with /bin/true ' },
          {
            name: 'the line with the native client to an echo that keeps a plain SQLite row first',
            words: ['sh', '-c', floor.line],
            against: 'the line with /bin/true ',
          },
          {
            name: 'the line with the native client, on disk first',
            words: ['sh', '-c', clients.native.line],
            against: 'the line with /bin/true ',
            budget: 1.5,
            budgetP99: 5,
          },
        ],
    { rounds: ROUNDS, payload: payloads.denied },
  )
  const slow = measure(
    [
      { name: 'node -e 0', words: [process.execPath, '-e', '0'] },
      {
        name: 'Node client',
        words: [process.execPath, bin, 'hook', '--agent', 'claude-code', '--event', 'PreToolUse'],
        against: 'node -e 0',
        budget: 1.6,
      },
      ...(existsSync(net)
        ? [{ name: 'cc-safety-net', words: [process.execPath, net, 'hook', '--claude-code'], against: 'node -e 0' }]
        : []),
    ],
    { rounds: SLOW_ROUNDS, payload: payloads.quiet },
  )
  printTable([...young, ...fast, ...durable, ...slow])
} finally {
  for (const server of servers) server.kill()
  belay('down')
  rmSync(folder, { recursive: true, force: true })
}

/** A thousand rules, one of which denies; a plain call needs no durable record, a denied one does. */
function prepare() {
  mkdirSync(join(project, '.belay'), { recursive: true })
  const rules = Array.from({ length: 1000 }, (_, index) => `        - "Bash(prog${index} sub${index % 7} *)"`)
  const policy = `version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny:\n        - "Bash(rm -rf *)"\n${rules.slice(500).join('\n')}\n      allow:\n${rules.slice(0, 500).join('\n')}\n`
  writeFileSync(join(project, '.belay', 'genesis.key'), policy)
  for (const [name, command] of [
    ['quiet', 'git status --short'],
    ['denied', 'rm -rf build'],
  ]) {
    const call = { tool_name: 'Bash', tool_input: { command, description: 'x'.repeat(200) }, tool_use_id: 'toolu_01' }
    const about = { session_id: 'bench', transcript_path: join(folder, 'transcript.jsonl'), permission_mode: 'default' }
    writeFileSync(payloads[name], JSON.stringify({ ...about, cwd: project, hook_event_name: 'PreToolUse', ...call }))
  }
  const timer = spawnSync('cc', ['-O2', '-o', join(folder, 'timer'), fileURLToPath(new URL('hook-timer.c', import.meta.url))])
  if (timer.status !== 0) throw new Error('this benchmark needs a C compiler')
  belay('policy', 'trust')
  belay('up', '--detach')
}

/** Until the daemon, and the bare servers, have compiled what they run all the time, as after the first hour of work. */
async function age() {
  const frames = Object.values(payloads).map(file => {
    const payload = JSON.parse(readFileSync(file, 'utf8'))
    return `${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', cwd: project, attended: false, env: {}, payload })}\n`
  })
  for (let call = 0; call < CALLS_BEFORE; call++) {
    for (const frame of frames) for (const place of [home, echoHome, floorHome]) await ask(place, frame)
  }
}

function ask(place, frame) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(join(place, 'run', 'shim.sock'), () => socket.write(frame))
    socket.on('error', reject)
    socket.on('data', piece => {
      if (piece.at(-1) !== 10) return
      socket.end()
      resolve()
    })
  })
}

/** Null: this machine cannot have it. A compiler that is none makes `install` take the next best. */
function buildClient(kind, place) {
  const more = kind === 'native' ? {} : { CC: '/nonexistent/cc' }
  const { stdout } = spawnSync(process.execPath, [bin, 'install', 'claude-code', '--json'], {
    cwd: project,
    env: { ...env, ...more, BELAY_HOME: place },
    encoding: 'utf8',
  })
  const { shim } = JSON.parse(stdout)
  if (shim.kind !== kind) return null
  const path = join(folder, `client-${kind}-${basename(place)}`)
  copyFileSync(shim.path, path)
  const settings = JSON.parse(readFileSync(join(folder, '.claude', 'settings.json'), 'utf8'))
  rmSync(join(place, 'bin'), { recursive: true })
  // The line as it was installed, for the copy.
  return { path, line: settings.hooks.PreToolUse[0].hooks[0].command.replaceAll(shim.path, path) }
}

/** The line as it was installed, but for a program that does nothing and proves nothing. */
function idleLine({ path, line }) {
  return line.replaceAll(path, '/bin/true').replace(/case \$\? in \d+\)/, 'case $? in 0)')
}

/** The bare servers that bench/daemon.mjs compares the daemon with. */
async function startEchoes() {
  for (const place of [echoHome, floorHome]) mkdirSync(join(place, 'run'), { recursive: true, mode: 0o700 })
  await start('daemon.mjs', ['echo', join(echoHome, 'run', 'shim.sock'), join(echoHome, 'http.sock')])
  await start('lib/floor-server.mjs', [join(floorHome, 'run', 'shim.sock'), join(floorHome, 'rows.db'), '0', 'first'])
}

function start(script, words) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), words, { env })
  servers.push(child)
  return new Promise(resolve => child.once('message', resolve))
}

function hook(client) {
  return [client, '--agent', 'claude-code', '--event', 'PreToolUse', '--deadline-ms', '20000']
}

function curl() {
  if (spawnSync('curl', ['--version']).status !== 0) return []
  const url = 'http://localhost/v1/hooks/claude-code/PreToolUse'
  const socket = join(home, 'run', 'daemon.sock')
  return [
    {
      name: 'curl to the daemon',
      words: ['curl', '-s', '--unix-socket', socket, '-H', 'content-type: application/json', '--data-binary', '@-', url],
    },
  ]
}

function measure(rows, { rounds, payload }) {
  const input = rows.map(({ words }) => words.join('\t')).join('\n')
  // The first tenth warms up.
  const warm = Math.ceil(rounds / 10)
  const { stdout } = spawnSync(join(folder, 'timer'), [String(rounds + warm), payload], {
    input: `${input}\n`,
    env,
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const times = rows.map(() => [])
  for (const text of stdout
    .trim()
    .split('\n')
    .slice(warm * rows.length)) {
    const [index, ns, exit] = text.split(' ').map(Number)
    if (exit !== 0) throw new Error(`${rows[index].name} ended with ${exit}`)
    times[index].push(ns / 1e6)
  }
  return rows.map((row, index) => ({
    ...row,
    p10: quantile(times[index], 0.1),
    p50: quantile(times[index], 0.5),
    p99: quantile(times[index], 0.99),
  }))
}

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function printTable(rows) {
  console.log('| one hook call | ms p10 | ms p50 | ms p99 | ratio at p10 | at p50 | budget | p99 ratio | budget |')
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|')
  for (const { name, p10, p50, p99, against, budget, budgetP99 } of rows) {
    const base = rows.find(row => row.name === against)
    // On a busy machine the tenth percentile is what the programs cost; the median is what others leave of the machine.
    const quiet = base === undefined ? '' : `${(p10 / base.p10).toFixed(2)}x`
    const ratio = base === undefined ? '' : `${(p50 / base.p50).toFixed(2)}x \`${against.trim()}\``
    const limit = budget === undefined ? '' : `<= ${budget}x ${p50 / base.p50 <= budget ? 'ok' : 'OVER'}`
    const tail = budgetP99 === undefined ? '' : `${(p99 / base.p50).toFixed(2)}x`
    const tailLimit = budgetP99 === undefined ? '' : `<= ${budgetP99}x ${p99 / base.p50 <= budgetP99 ? 'ok' : 'OVER'}`
    console.log(
      `| ${name.trim()} | ${p10.toFixed(2)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${quiet} | ${ratio} | ${limit} | ${tail} | ${tailLimit} |`,
    )
  }
}

function belay(...args) {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: project, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`belay ${args.join(' ')}: ${stderr}`)
}
