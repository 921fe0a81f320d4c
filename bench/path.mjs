// The way of one plain allow through the daemon, as it really happens: the hops from room to room until its answer and until its record is on
// disk, with the number of files and functions. ARCHITECTURE.md lists the hops; where it says something else this ends with 1. What a hop is
// stands in lib/call-path.mjs. The daemon runs from the sources, so both of its threads are one here.
import { executionAsyncId } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { hopsOf } from './lib/call-path.mjs'
import { tracePlugin } from './lib/trace-plugin.mjs'

const MAX_HOPS = 10
/** The shortest is taken: now and then the daemon does something else between, as looking again for the project of a folder. */
const CALLS = 20
const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const target = fileURLToPath(new URL('../.cache/bench-path/', import.meta.url))
const architecture = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url))
/** What the queue hears when the record is on disk. */
const WRITTEN = 'host/src/decision/record-queue.ts#isDone'
const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(git status *)"]
`

const folder = mkdtempSync(join(tmpdir(), 'belay-path-'))
try {
  const paths = await tracePaths(await bundleDaemon())
  const answer = describePath('until the answer', shortest(paths.map(({ answered }) => answered)))
  const record = describePath('after it, until the record is on disk', shortest(paths.map(({ recorded }) => recorded)))
  const wrong = [
    ...compare('## The path of one call', answer),
    ...compare('### Its record', record),
    ...(answer.length > MAX_HOPS ? [`${answer.length} hops until the answer; the budget is ${MAX_HOPS}`] : []),
  ]
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function bundleDaemon() {
  const { exports } = JSON.parse(readFileSync(`${packages}core/package.json`, 'utf8'))
  const core = Object.entries(exports).map(([name, { default: built }]) => [
    `@belay/core${name.slice(1)}`,
    `${packages}core/${built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`,
  ])
  const parts = ['daemon/start-daemon', 'config/trust', 'wire/run-paths', 'config/home'].map(name => `host/src/${name}`)
  const bundle = await rolldown({
    input: Object.fromEntries(parts.map(name => [name, `${packages}${name}.ts`])),
    platform: 'node',
    external: [/^libsql/],
    resolve: {
      conditionNames: ['node', 'import', 'default'],
      mainFields: ['module', 'main'],
      // The longer names first.
      alias: Object.fromEntries(core.reverse()),
    },
    plugins: [tracePlugin(packages)],
  })
  rmSync(target, { recursive: true, force: true })
  // File by file, so that a stack says which one a call came from.
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' }
  await bundle.write({ dir: target, format: 'esm', preserveModules: true, preserveModulesRoot: packages, ...names })
  // What the code looks for around itself.
  for (const name of ['bin', 'native']) symlinkSync(`${packages}host/${name}`, join(target, name))
  const loaded = await Promise.all(parts.map(name => import(pathToFileURL(join(target, `${name}.mjs`)))))
  return Object.assign({}, ...loaded)
}

async function tracePaths({ startDaemon, addTrust, homePaths, runPaths }) {
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const made of [home, join(project, '.belay')]) mkdirSync(made, { recursive: true })
  const policy = join(project, '.belay', 'genesis.key')
  writeFileSync(policy, POLICY)
  addTrust(homePaths(home).trust, policy, createHash('sha256').update(POLICY).digest('hex'))
  const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home }
  const log = line => line.level === 'info' || console.error(line)
  const started = await startDaemon({ home, etc: join(home, 'etc'), env, port: 0, version: '0', log })
  if (!started.ok) throw new Error(started.why)
  const client = await openClient(runPaths(home, env).shimSocket, project)
  const paths = []
  for (let call = 0; call < CALLS; call++) {
    // Twice: after the first one everything is known, and nothing of an earlier call is on its way.
    await traceCall(() => client.ask(call))
    paths.push(await traceCall(() => client.ask(call + CALLS)))
  }
  client.close()
  await started.daemon.stop()
  return paths
}

async function openClient(socket, project) {
  const connection = connect(socket)
  await new Promise((resolve, reject) => connection.on('connect', resolve).on('error', reject))
  const ask = async n => {
    const call = { tool_name: 'Bash', tool_input: { command: `git status --short part${n}` }, tool_use_id: `toolu_${n}` }
    const payload = { session_id: 's1', cwd: project, hook_event_name: 'PreToolUse', ...call }
    const answered = new Promise(resolve => connection.once('data', resolve))
    connection.write(`${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', cwd: project, attended: false, env: {}, payload })}\n`)
    const text = String(await answered)
    if (!text.includes('\\"permissionDecision\\":\\"allow\\"')) throw new Error(`not a plain allow: ${text}`)
  }
  return { ask, close: () => connection.destroy() }
}

async function traceCall(ask) {
  const entries = []
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  globalThis.traceEntry = name => entries.push({ name, turn: executionAsyncId(), ...readStack() })
  await ask()
  while (!entries.some(({ name }) => name === WRITTEN)) await sleep(1)
  globalThis.traceEntry = undefined
  Error.stackTraceLimit = limit
  // Nothing of the record is made in the turn of the answer.
  const end = entries.findIndex(({ name }) => name === 'host/src/decision/record-queue.ts#makeSome')
  return { answered: entries.slice(0, end), recorded: entries.slice(end) }
}

/** Above this function: `traceEntry`, the function that was entered, and its caller. */
function readStack() {
  const prepare = Error.prepareStackTrace
  Error.prepareStackTrace = (_error, sites) => sites
  const sites = new Error().stack
  Error.prepareStackTrace = prepare
  const file = sites[3]?.getFileName() ?? ''
  const caller = file.startsWith(`file://${target}`) ? relative(target, fileURLToPath(file)) : null
  return { depth: sites.length, caller }
}

function shortest(traces) {
  return traces.reduce((best, trace) => (trace.length < best.length ? trace : best))
}

function describePath(title, entries) {
  const hops = hopsOf(entries)
  const names = new Set(entries.map(({ name }) => name))
  const files = new Set([...names].map(name => name.split('#')[0]))
  console.log(`${title}: ${hops.length} hops, ${files.size} files, ${names.size} functions`)
  for (const [at, { from, to, entries: entered }] of hops.entries()) {
    const where = entered.map(entry => entry.replace(/^.*\/src\/[^/]*\//, '').replace('#', ' '))
    console.log(`  ${String(at + 1).padStart(2)}. ${(from ?? 'event loop').padEnd(14)} -> ${to.padEnd(14)} ${where.join(', ')}`)
  }
  console.log('')
  return hops
}

/** Each numbered line of the section is a hop: it links the files that the hop enters, and names functions of them that really are entered. */
function compare(heading, hops) {
  const text = readFileSync(architecture, 'utf8')
  const from = text.indexOf(`${heading}\n`)
  if (from < 0) return [`ARCHITECTURE.md has no section "${heading}"`]
  const lines = text
    .slice(from + heading.length)
    .split(/\n#+ /)[0]
    .split('\n')
    .filter(line => /^\d+\. /.test(line))
  const wrong = lines.length === hops.length ? [] : [`${heading}: ARCHITECTURE.md lists ${lines.length} hops, there are ${hops.length}`]
  for (const [at, { to, entries }] of hops.entries()) {
    const line = lines[at] ?? ''
    const named = [...line.matchAll(/\[`(\w+)`\]\(packages\/([^)]+)\)/g)].map(([, called, file]) => `${file}#${called}`)
    const strange = named.filter(name => !entries.includes(name))
    if (named.length === 0) wrong.push(`${heading}, hop ${at + 1}: names none of ${entries.join(', ')}`)
    if (strange.length > 0)
      wrong.push(`${heading}, hop ${at + 1} (${to}): ${strange.join(', ')} is not entered there, but ${entries.join(', ')}`)
  }
  return wrong
}
