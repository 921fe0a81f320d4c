// How long the command line takes to start, beside Node that runs nothing. All rows are measured in turns inside one run;
// the figures are medians. Processor time is what decides: on a busy machine the clock measures the others.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 31)
const belay = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
const env = { ...environment, HOME: folder, BELAY_HOME: join(folder, 'home'), BELAY_NO_AUTOSTART: '1' }
const payload = JSON.stringify({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'git status' },
  cwd: folder,
})
const hook = [belay, 'hook', '--agent', 'claude-code', '--event', 'PreToolUse']
const rows = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'belay --version', args: [belay, '--version'], budget: 1.3 },
  { name: 'belay --help', args: [belay, '--help'], budget: 1.3 },
  { name: 'belay hooks test-pattern', args: [belay, 'hooks', 'test-pattern', 'Bash(git *)', 'Bash', 'git status'], budget: 1.6 },
  { name: 'belay hook, the daemon is up', args: hook, input: payload, budget: 1.6 },
  { name: 'belay hook, judging alone', args: [...hook, '--direct'], input: payload },
  { name: 'belay genesis show', args: [belay, 'genesis', 'show'] },
]

try {
  prepare()
  for (let turn = 0; turn <= TURNS; turn++) for (const row of rows) measure(row, turn === 0)
  printTable()
} finally {
  spawnSync(process.execPath, [belay, 'down'], { env, cwd: folder })
  rmSync(folder, { recursive: true, force: true })
}

/** The probe runs in every row alike, that of bare Node too. */
function prepare() {
  const report = 'const { user, system } = process.cpuUsage(); require("node:fs").writeSync(3, String(user + system))'
  writeFileSync(join(folder, 'probe.cjs'), `process.on('exit', () => { ${report} })\n`)
  mkdirSync(join(folder, '.belay'))
  writeFileSync(
    join(folder, '.belay', 'genesis.key'),
    'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      allow: ["Bash(git *)"]\n',
  )
  for (const args of [
    ['policy', 'trust'],
    ['up', '--detach'],
  ])
    spawnSync(process.execPath, [belay, ...args], { env, cwd: folder })
}

function measure(row, isWarmUp) {
  const started = performance.now()
  const { status, output, stderr } = spawnSync(process.execPath, ['-r', join(folder, 'probe.cjs'), ...row.args], {
    env,
    cwd: folder,
    input: row.input ?? '',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const wall = performance.now() - started
  if (status !== 0) throw new Error(`${row.name} ended with ${status}: ${stderr}`)
  if (isWarmUp) return
  row.cpu ??= []
  row.wall ??= []
  row.cpu.push(Number(output[3]) / 1000)
  row.wall.push(wall)
}

function printTable() {
  const [bare] = rows
  console.log('| command | processor ms | ratio | clock ms | ratio | budget |\n|---|--:|--:|--:|--:|--:|')
  for (const { name, cpu, wall, budget } of rows) {
    const ratios = [median(cpu) / median(bare.cpu), median(wall) / median(bare.wall)].map(ratio => ratio.toFixed(2))
    const limit = budget === undefined ? '' : `<= ${budget}`
    console.log(`| ${name} | ${median(cpu).toFixed(1)} | ${ratios[0]} | ${median(wall).toFixed(1)} | ${ratios[1]} | ${limit} |`)
  }
}

function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]
}
