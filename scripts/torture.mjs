// npm run torture [-- --only NAME [--seed SEED] [--minutes N] [--resume]]: campaigns at full size, minutes instead of the seconds they take
// among the tests; without a name all of them, one after the other. Seeds are printed, and one that is given repeats a run. `--resume` leaves
// out the attacks on the guard, and the rows at doors, that passed on this build before; rows at doors end after `--minutes N`.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled, root, run } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

const CAMPAIGNS = {
  store: { what: '200 kills with 1 and with 4 clients', files: ['packages/host/src/store/crash.test.ts'], size: { BELAY_TORTURE: '200' } },
  daemon: {
    what: 'kills, malformed requests, load, overload',
    files: ['packages/host/src/daemon/torture'],
    size: { BELAY_TORTURE: '1' },
  },
  doors: {
    what: 'every policy, source and call at every door',
    files: ['packages/host/src/guard/equivalence.test.ts', 'packages/host/src/guard/door-processes.test.ts'],
    size: { BELAY_DOORS: 'all' },
    mayEnd: true,
  },
  forgery: {
    what: '10,000 forgeries of a ledger',
    files: ['packages/host/src/ledger/verify/forgery.test.ts'],
    size: { BELAY_FORGERIES: '10000' },
  },
  team: {
    what: '12 daemons and 240 agents whose hubs, database and connections break for 10 minutes; 1,000 random histories of honest machines',
    files: ['e2e/team-daemons.test.ts', 'e2e/team-chaos.test.ts', 'e2e/team-histories.test.ts'],
    size: {
      BELAY_TEAM_SECONDS: '600',
      BELAY_TEAM_MACHINES: '12',
      BELAY_TEAM_AGENTS: '240',
      BELAY_TEAM_KILLS: '5',
      BELAY_TEAM_P99_MS: '1000',
      BELAY_HISTORIES: '1000',
    },
  },
  redaction: {
    what: 'planted secrets, many times over',
    files: ['packages/core/src/ledger/redact'],
    size: { BELAY_REDACT_RUNS: '200000', BELAY_REDACT_ROUNDS: '20' },
  },
  rules: {
    what: 'the rule index against a plain loop, 1,000,000 rule sets',
    files: ['packages/core/src/policy/index-fuzz.test.ts'],
    size: { BELAY_FUZZ: '1000000' },
  },
  shell: {
    what: 'shell text against bash, rewritings that change nothing, and 100,000 programs run in a jail',
    files: ['packages/core/src/match/shell/differential.test.ts', 'packages/core/src/policy/metamorphic.test.ts'],
    size: { BELAY_FUZZ: '5000' },
    system: { files: ['e2e/jail'], size: { BELAY_JAIL: '100000' } },
  },
  text: {
    what: 'damaged policies, hostile MCP messages',
    files: ['packages/core/src/policy/genesis/parse-genesis.fuzz.test.ts', 'packages/host/src/mcp-proxy/relay-text.test.ts'],
    size: { BELAY_FUZZ_RUNS: '50000' },
  },
  worst: {
    what: 'the shell text that takes longest to judge: an hour of search, or --minutes N',
    files: ['packages/core/src/match/shell/worst-case.test.ts'],
    size: { BELAY_FUZZ: '20000' },
    script: 'search-worst.mjs',
  },
  self: {
    what: 'attacks on the guard itself, each first without its protection',
    async attack() {
      const { reportAttacks } = await import('../e2e/self/report.mjs')
      return [await reportAttacks({ isResumed }), await reportAttacks({ isReal: true, isResumed })]
    },
  },
}

const { only: name, seed, minutes, resume: isResumed } = readOptions()
if (name !== undefined && CAMPAIGNS[name] === undefined) {
  const known = Object.entries(CAMPAIGNS).map(([each, { what }]) => `  ${each.padEnd(10)} ${what}`)
  console.error(`No campaign called ${name}. There are:\n${known.join('\n')}`)
  process.exit(2)
}
ensureInstalled()
ensureBuilt()
const seeds = seed === undefined ? {} : { BELAY_SEED: seed, BELAY_FUZZ_SEED: seed, BELAY_REDACT_SEED: seed }
const wanted = name === undefined ? Object.keys(CAMPAIGNS) : [name]
const total = { passes: 0, failures: 0 }
for (const each of wanted) {
  const { what } = CAMPAIGNS[each]
  console.log(`\n${each}: ${what}`)
  for (const { passes, failures, status = failures } of await runCampaign(CAMPAIGNS[each])) {
    total.passes += passes
    total.failures += failures
    if (status !== 0) process.exitCode = 1
  }
}
console.log(`${total.passes} passed, ${total.failures} failed`)

/** Its parts one after the other: each wants the machine for itself. */
async function runCampaign({ files, size, mayEnd = false, system, script, attack }) {
  return [
    ...(files === undefined ? [] : [runFiles(files, { ...size, ...(mayEnd ? ending() : {}) })]),
    ...(system === undefined ? [] : [runFiles(system.files, { BELAY_TEST: 'system', ...system.size })]),
    ...(script === undefined ? [] : [runScript(script)]),
    ...(attack === undefined ? [] : await attack()),
  ]
}

/** For campaigns that can be done in parts. */
function ending() {
  return { ...(minutes === undefined ? {} : { BELAY_MINUTES: minutes }), ...(isResumed ? { BELAY_RESUME: '1' } : {}) }
}

function runFiles(files, env) {
  return runVitest(['--no-file-parallelism', '--reporter=default', ...files], { ...env, ...seeds })
}

function runScript(name) {
  const options = Object.entries({ seed, minutes }).flatMap(([option, value]) => (value === undefined ? [] : [`--${option}`, value]))
  const status = run(process.execPath, [join(root, 'scripts', name), ...options])
  return { passes: status === 0 ? 1 : 0, failures: status === 0 ? 0 : 1 }
}

function readOptions() {
  try {
    const text = { type: 'string' }
    return parseArgs({ options: { only: text, seed: text, minutes: text, resume: { type: 'boolean', default: false } } }).values
  } catch (error) {
    console.error(`${error.message}\nUsage: npm run torture [-- --only NAME [--seed SEED] [--minutes N] [--resume]]`)
    process.exit(2)
  }
}
