// node bench/compare-builds.mjs OLD NEW [--rounds N]: two built checkouts, measured in turns through their own command. Each round runs every
// row with the old build, the new one, and the old one again, so that all three meet the same moments of the machine. Printed beside the
// ratio of new to old is the ratio of old to old: what lies within it says nothing. Ends with 1 where the new build is slower beyond it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } })
const rounds = Number(values.rounds ?? 15)
if (positionals.length !== 2 || !Number.isInteger(rounds) || rounds < 3) {
  console.error('usage: node bench/compare-builds.mjs OLD NEW [--rounds N], both built, at least three rounds')
  process.exit(2)
}

const POLICY = 'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(rm -rf *)"]\n'
const CALLS = 20
const JUDGED = 2000

const folder = mkdtempSync(join(tmpdir(), 'belay-compare-'))
const [old, fresh] = positionals.map((checkout, at) => openBuild(resolve(checkout), join(folder, String(at))))
const payload = JSON.stringify({ session_id: 's', cwd: folder, tool_name: 'Bash', tool_input: { command: 'git status && ls' } })
const batch = Array.from({ length: JUDGED }, (_, at) =>
  JSON.stringify({
    tool: 'Bash',
    input: { command: `cd src-${at} && npm test | tee log-${at} && git diff --stat` },
    deny: ['Bash(rm -rf *)'],
  }),
).join('\n')

const WITHOUT_DAEMON = [
  ['the command starts', build => build.belay(['--version'])],
  ['a call without the daemon', build => build.belay(['hook', '--agent', 'claude-code', '--event', 'PreToolUse'], payload)],
  [`decide --batch, ${JUDGED} calls`, build => build.belay(['decide', '--batch'], batch)],
]
const WITH_DAEMON = [[`the client with the daemon, ${CALLS} calls`, build => build.call(CALLS)]]

let isSlower = false
try {
  console.log('| row | old ms | new / old | old / old, middle half |\n|---|---|---|---|')
  for (const row of WITHOUT_DAEMON) print(row)
  for (const build of [old, fresh]) build.start()
  for (const row of WITH_DAEMON) print(row)
} finally {
  for (const build of [old, fresh]) build.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isSlower ? 1 : 0)

function print([name, run]) {
  const { oldMs, ratio, low, high } = measure(run)
  isSlower ||= ratio > high
  console.log(`| ${name} | ${oldMs.toFixed(1)} | ${ratio.toFixed(3)} | ${low.toFixed(3)} to ${high.toFixed(3)} |`)
}

/** Ratios are taken inside a round, and their median counts: one round that was disturbed says nothing. */
function measure(run) {
  for (const build of [old, fresh]) run(build)
  const ratios = []
  const spread = []
  const times = []
  for (let round = 0; round < rounds; round++) {
    const [first, second, third] = [old, fresh, old].map(build => timeOf(() => run(build)))
    ratios.push(second / ((first + third) / 2))
    spread.push(third / first)
    times.push(first)
  }
  return { oldMs: quantile(times, 0.5), ratio: quantile(ratios, 0.5), low: quantile(spread, 0.25), high: quantile(spread, 0.75) }
}

function timeOf(run) {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * share)]
}

/** One build with a home of its own. */
function openBuild(checkout, home) {
  const user = join(home, 'user')
  const belayHome = join(home, 'belay')
  mkdirSync(join(belayHome, 'policy'), { recursive: true })
  mkdirSync(user)
  writeFileSync(join(belayHome, 'policy', 'genesis.key'), POLICY)
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const env = { ...rest, HOME: user, BELAY_HOME: belayHome, BELAY_NO_AUTOSTART: '1' }
  const belay = (args, input = '') => must(process.execPath, [join(checkout, 'packages/host/bin/belay.cjs'), ...args], input)
  let line = ''

  function must(command, args, input) {
    const { status, stderr } = spawnSync(command, args, { cwd: user, env, input, maxBuffer: 64 * 1024 * 1024 })
    if (status !== 0) throw new Error(`${checkout}: ${args.slice(0, 3).join(' ')} ended with ${status}: ${stderr}`)
  }

  return {
    belay,
    start() {
      belay(['install', 'claude-code'])
      line = JSON.parse(readFileSync(join(user, '.claude', 'settings.json'), 'utf8')).hooks.PreToolUse[0].hooks[0].command
      belay(['up', '--detach'])
    },
    call(times) {
      for (let at = 0; at < times; at++) must('/bin/sh', ['-c', line], payload)
    },
    stop: () => spawnSync(process.execPath, [join(checkout, 'packages/host/bin/belay.cjs'), 'down'], { cwd: user, env }),
  }
}
