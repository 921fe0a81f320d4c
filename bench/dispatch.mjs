// What it costs to take an event through hooks that do nothing, beside plain loops and the usual hook libraries.
// All rows are measured in turns inside one run, so that a busy machine is busy for all of them; figures are medians of the turns.
import { createRequire } from 'node:module'
import { createEngine, createRegistry } from '../packages/core/dist/index.js'

const COUNTS = [1, 5, 20]
const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 151)
const TURN_MS = 2

const event = {
  name: 'PreToolUse',
  sessionId: 's1',
  cwd: '/',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:bench',
  agent: 'bench',
  commitment: null,
  fields: { toolName: 'Bash', toolInput: { command: 'ls' } },
  env: {},
}
const unreported = { report: false }
const none = { decision: 'none' }
const peers = await loadPeers()
const times = new Map()

await measure(COUNTS.flatMap(rowsFor))
console.log(table())

/** Every row is a function that takes the event through `count` hooks once; the caller awaits what it gives back. */
function rowsFor(count) {
  const sync = Array.from({ length: count }, () => makeFunction('context => undefined'))
  const late = Array.from({ length: count }, () => makeFunction('async context => undefined'))
  const engines = { sync: engineWith(sync), late: engineWith(late) }
  const rows = {
    'plain sync loop': () => loop(sync, event),
    'belay, sync hooks': () => engines.sync.fire(event, unreported),
    'belay, sync hooks, report': () => engines.sync.fire(event),
    'plain async loop': () => asyncLoop(late, event),
    'belay, async hooks': () => engines.late.fire(event, unreported),
    'belay, async hooks, report': () => engines.late.fire(event),
    ...peerRows(late),
  }
  return Object.entries(rows).map(([name, run]) => ({ key: `${name}/${count}`, run }))
}

/** Each with code of its own, as hooks have: of one function made many times V8 would put the body into the loop and measure nothing. */
function makeFunction(source) {
  return new Function(`return ${source}`)()
}

function engineWith(functions) {
  const registry = createRegistry()
  for (const run of functions) registry.add({ event: 'PreToolUse', scope: 'session', handler: { type: 'inline', run } })
  return createEngine({ registry })
}

/** The loops give back a verdict too: somebody fired the event to get one. */
function loop(functions, context) {
  for (const run of functions) {
    const answer = run(context)
    if (answer !== undefined) return answer
  }
  return none
}

async function asyncLoop(functions, context) {
  for (const run of functions) {
    const answer = await run(context)
    if (answer !== undefined) return answer
  }
  return none
}

/** tapable's waterfall is the kind that hands what one hook changed to the next, as a sequence does here. */
function peerRows(functions) {
  if (peers === null) return {}
  const series = new peers.tapable.AsyncSeriesWaterfallHook(['context'])
  for (const [at, run] of functions.entries()) series.tapPromise(`hook ${at}`, run)
  const hookable = peers.hookable.createHooks()
  for (const run of functions) hookable.hook('event', run)
  const composed = peers.compose(
    functions.map(run => async (context, next) => {
      await run(context)
      return next()
    }),
  )
  return {
    tapable: () => series.promise(event),
    'koa-compose': () => composed(event),
    hookable: () => hookable.callHook('event', event),
  }
}

async function loadPeers() {
  const require = createRequire(import.meta.url)
  try {
    return { tapable: require('tapable'), compose: require('koa-compose'), hookable: await import('hookable') }
  } catch (error) {
    console.log(`Peers are not installed (${error.code}); npm run bench installs them. Measuring without them.\n`)
    return null
  }
}

async function measure(rows) {
  // Twice, because what the first rows made the compiler believe, the later ones refute.
  for (const { run } of [...rows, ...rows]) await spin(run, 30)
  const calls = []
  for (const { run } of rows) calls.push(await callsIn(run, TURN_MS))
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [at, { key, run }] of rows.entries()) {
      const nanoseconds = await time(run, calls[at])
      if (times.has(key)) times.get(key).push(nanoseconds)
      else times.set(key, [nanoseconds])
    }
  }
}

async function spin(run, forMs) {
  const end = performance.now() + forMs
  while (performance.now() < end) for (let at = 0; at < 200; at += 1) await run()
}

async function callsIn(run, forMs) {
  const perCall = await time(run, 2000)
  return Math.max(200, Math.round((forMs * 1e6) / perCall))
}

async function time(run, calls) {
  const start = performance.now()
  for (let at = 0; at < calls; at += 1) await run()
  return ((performance.now() - start) * 1e6) / calls
}

function median(key) {
  const sorted = [...times.get(key)].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

function table() {
  const names = [...new Set([...times.keys()].map(key => key.replace(/\/\d+$/, '')))]
  const lines = [
    `ns per event, one await included; median of ${TURNS} turns`,
    '',
    `| hooks | ${COUNTS.join(' | ')} | ratio at 5 | budget | |`,
    `|---|${COUNTS.map(() => '--:').join('|')}|--:|--:|---|`,
  ]
  for (const name of names) {
    const { ratio, budget, ok } = judge(name)
    lines.push(`| ${name} | ${COUNTS.map(count => Math.round(median(`${name}/${count}`))).join(' | ')} | ${ratio} | ${budget} | ${ok} |`)
  }
  return lines.join('\n')
}

/** The budgets are ratios to a row of the same run; the report's is an absolute cost for each hook. */
function judge(name) {
  const at5 = row => median(`${row}/5`)
  if (name === 'belay, sync hooks') return ratioTo(at5(name) / at5('plain sync loop'), 3, 'plain sync loop + await')
  if (name === 'belay, async hooks' && peers !== null) return ratioTo(at5(name) / at5('tapable'), 1, 'tapable')
  if (name.endsWith(', report')) {
    const added = (median(`${name}/20`) - median(`${name.replace(', report', '')}/20`)) / 20 / 1000
    return { ratio: `+${added.toFixed(2)} us a hook`, budget: '<= 0.5 us', ok: added <= 0.5 ? 'ok' : 'OVER' }
  }
  return { ratio: '', budget: '', ok: '' }
}

function ratioTo(ratio, limit, what) {
  return { ratio: `${ratio.toFixed(2)}x ${what}`, budget: `<= ${limit.toFixed(1)}x`, ok: ratio <= limit ? 'ok' : 'OVER' }
}
