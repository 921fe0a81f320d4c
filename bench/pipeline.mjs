// What the tool pipeline adds to one call of a tool, with no hooks, 5 and 20 on each side, beside a bare awaited call.
// Rows are measured in turns inside one run; figures are medians of the turns.
import { createHooks, createToolPipeline } from '../packages/core/dist/index.js'
import { parseGenesis } from '../packages/core/dist/policy/index.js'

const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 151)
const TURN_MS = 2
const BUDGET_US = 2

const input = { command: 'ls' }
const tool = { name: 'Bash', execute: async given => given.command }
const policy = parseGenesis('version: "2.0"\npermissions:\n  actors:\n    "agent:*":\n      allow: ["Bash(ls *)"]\n', 'bench.key').policy

const rows = [
  ['bare awaited call', () => tool.execute(input)],
  ['pipeline, no hooks', runner(0)],
  ['pipeline, 5 hooks before', runner(5)],
  ['pipeline, 20 hooks before', runner(20)],
  ['pipeline, 5 before, 5 after', runner(5, 5)],
  ['pipeline, 20 before, 20 after', runner(20, 20)],
  ['pipeline, 5 async hooks before', runner(5, 0, { isAsync: true })],
  ['pipeline, no hooks, permissions', runner(0, 0, { policies: [policy] })],
  ['pipeline, 5 before, 5 after, every hook told of', runner(5, 5, { onHook: () => undefined })],
].map(([name, run]) => ({ name, run, times: [] }))

await measure()
const [bare] = rows
console.log(`us per call of a tool; median of ${TURNS} turns\n`)
console.log('| | us | over the bare call | budget | |\n|---|--:|--:|--:|---|')
for (const row of rows) {
  const over = (median(row.times) - median(bare.times)) / 1000
  const hasBudget = row.name === 'pipeline, no hooks'
  console.log(
    `| ${row.name} | ${(median(row.times) / 1000).toFixed(2)} | ${row === bare ? '' : `+${over.toFixed(2)}`} | ${hasBudget ? `<= ${BUDGET_US}` : ''} | ${hasBudget ? (over <= BUDGET_US ? 'ok' : 'OVER') : ''} |`,
  )
}

function runner(before, after = 0, { isAsync = false, ...options } = {}) {
  const hooks = options.policies === undefined ? createHooks() : undefined
  for (let at = 0; at < before; at += 1) hooks.on('PreToolUse', makeHook(isAsync))
  for (let at = 0; at < after; at += 1) hooks.on('PostToolUse', makeHook(isAsync))
  const pipeline = createToolPipeline({ tools: [tool], ...(hooks === undefined ? {} : { hooks }), ...options })
  return () => pipeline.runTool('Bash', input)
}

/** Each with code of its own, as hooks have. */
function makeHook(isAsync) {
  return new Function(`return ${isAsync ? 'async ' : ''}context => undefined`)()
}

async function measure() {
  for (const { run } of [...rows, ...rows]) await spin(run, 30)
  for (const row of rows) row.calls = Math.max(200, Math.round((TURN_MS * 1e6) / (await time(row.run, 2000))))
  for (let turn = 0; turn < TURNS; turn += 1) for (const row of rows) row.times.push(await time(row.run, row.calls))
}

async function spin(run, forMs) {
  const end = performance.now() + forMs
  while (performance.now() < end) for (let at = 0; at < 200; at += 1) await run()
}

async function time(run, calls) {
  const start = performance.now()
  for (let at = 0; at < calls; at += 1) await run()
  return ((performance.now() - start) * 1e6) / calls
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}
