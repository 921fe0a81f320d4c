// What a hook adds to one tool call inside the real Claude Code: `/bin/true` and Belay's own hook line, in turns within one session, beside
// calls without any hook. The value is the time from one request to the scripted model to the next. Only where `npm run test:agents` has
// fetched the agent.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENTS, findClient, runClient } from '../e2e/agents/client.mjs'
import { startModel } from '../e2e/agents/scripted-model.mjs'

const ROUNDS = Number(process.env.BELAY_BENCH_ROUNDS ?? 60)
const WARM_ROUNDS = 3
const BUDGET = 1.3
const AGENT = 'claude-code'
/** Of the commands, one for each kind of hook. */
const WORDS = ['none', 'true', 'belay', 'truepair', 'belaypair']
const bin = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))

const client = findClient(AGENT)
if (client === null) console.log('Claude Code is not here: run `npm run test:agents -- claude-code` first.')
else await bench()

async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
  const env = { ...environment, HOME: home, BELAY_HOME: join(folder, 'belay'), CLAUDE_CONFIG_DIR: join(home, '.claude') }
  const belay = (...args) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [bin, ...args], { cwd: project, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`belay ${args.join(' ')}: ${stderr}${stdout}`)
  }
  try {
    mkdirSync(home)
    mkdirSync(join(project, '.belay'), { recursive: true })
    writeFileSync(join(project, '.belay', 'genesis.key'), policy())
    CLIENTS[AGENT].setUp({ home })
    belay('policy', 'trust')
    belay('install', AGENT)
    belay('up', '--detach')
    const rows = await measure({ home, project })
    printTable(rows)
  } finally {
    belay('down')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each kind of hook answers to its own word of the command; a pair stands before and after the tool. */
function hooksOf(file) {
  const { hooks } = JSON.parse(readFileSync(file, 'utf8'))
  const line = event => hooks[event][0].hooks[0].command
  const only = (word, command) => ({ type: 'command', command, if: `Bash(echo ${word} *)` })
  const before = [
    only('true', '/bin/true'),
    only('belay', line('PreToolUse')),
    only('truepair', '/bin/true'),
    only('belaypair', line('PreToolUse')),
  ]
  const after = [only('truepair', '/bin/true'), only('belaypair', line('PostToolUse'))]
  return { PreToolUse: [{ matcher: 'Bash', hooks: before }], PostToolUse: [{ matcher: 'Bash', hooks: after }] }
}

async function measure({ home, project }) {
  const settings = join(home, '.claude', 'settings.json')
  writeFileSync(settings, JSON.stringify({ hooks: hooksOf(settings) }))
  const calls = Array.from({ length: ROUNDS + WARM_ROUNDS }, (_, round) => WORDS.map(word => ({ shell: `echo ${word} ${round}` }))).flat()
  const model = await startModel({ steps: [...calls, { text: 'All done.' }] })
  const limitMs = 30_000 + calls.length * 1000
  const ended = await runClient({
    agent: AGENT,
    program: client.program,
    prompt: 'please work',
    place: { home, project, url: model.url },
    limitMs,
  })
  await model.close()
  const times = model.requests.filter(({ isTurn }) => isTurn).map(({ at }) => at)
  if (ended.code !== 0 || times.length !== calls.length + 1)
    throw new Error(`the agent ended with ${ended.code} after ${times.length} turns`)
  return WORDS.map((word, index) => ({
    word,
    gaps: calls.flatMap((_, call) => (isOf(call, index) ? [times[call + 1] - times[call]] : [])),
  }))
}

function isOf(call, index) {
  return call % WORDS.length === index && call >= WARM_ROUNDS * WORDS.length
}

function policy() {
  const rules = Array.from({ length: 1000 }, (_, index) => `        - "Bash(prog${index} sub${index % 7} *)"`)
  return `version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny:\n${rules.slice(500).join('\n')}\n      allow:\n${rules.slice(0, 500).join('\n')}\n`
}

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function printTable(rows) {
  const base = rows.find(({ word }) => word === 'none').gaps
  const added = (word, part) => quantile(rows.find(row => row.word === word).gaps, part) - quantile(base, part)
  console.log(
    `Claude Code ${client.version}, ${ROUNDS} calls of each kind; a call without hooks takes ${quantile(base, 0.5).toFixed(1)} ms`,
  )
  console.log('| one tool call inside Claude Code | ms added, p10 | p50 | ratio at p10 | at p50 | budget |')
  console.log('|---|--:|--:|--:|--:|--:|')
  for (const [word, against, what] of [
    ['true', null, '`/bin/true` before the tool'],
    ['belay', 'true', 'Belay before the tool'],
    ['truepair', null, '`/bin/true` before and after'],
    ['belaypair', 'truepair', 'Belay before and after'],
  ]) {
    const ratio = part => (against === null ? '' : `${(added(word, part) / added(against, part)).toFixed(2)}x`)
    const limit = against === null ? '' : `<= ${BUDGET}x ${added(word, 0.5) / added(against, 0.5) <= BUDGET ? 'ok' : 'OVER'}`
    console.log(`| ${what} | ${added(word, 0.1).toFixed(2)} | ${added(word, 0.5).toFixed(2)} | ${ratio(0.1)} | ${ratio(0.5)} | ${limit} |`)
  }
}
