// npm run torture [-- NAME [seed]]: campaigns at full size, minutes instead of the seconds they take among the tests; without a name all of
// them, one after the other. Seeds are printed, and one that is given repeats a run.
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

const CAMPAIGNS = {
  store: { what: '200 kills with 1 and with 4 clients', files: ['packages/host/src/store/crash.test.ts'], size: { BELAY_TORTURE: '200' } },
  daemon: {
    what: 'kills, malformed requests, load, overload',
    files: ['packages/host/src/daemon/torture'],
    size: { BELAY_TORTURE: '1' },
  },
  forgery: {
    what: '10,000 forgeries of a ledger',
    files: ['packages/host/src/ledger/verify/forgery.test.ts'],
    size: { BELAY_FORGERIES: '10000' },
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
    what: 'shell text against bash, and rewritings that change nothing',
    files: ['packages/core/src/match/shell/differential.test.ts', 'packages/core/src/policy/metamorphic.test.ts'],
    size: { BELAY_FUZZ: '5000' },
  },
  text: {
    what: 'damaged policies, hostile MCP messages',
    files: ['packages/core/src/policy/genesis/parse-genesis.fuzz.test.ts', 'packages/host/src/mcp-proxy/relay-text.test.ts'],
    size: { BELAY_FUZZ_RUNS: '50000' },
  },
}

const [name, seed] = process.argv.slice(2)
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
  const { what, files, size } = CAMPAIGNS[each]
  console.log(`\n${each}: ${what}`)
  // One after the other: each wants the machine for itself.
  const { passes, failures, status } = runVitest(['--no-file-parallelism', '--reporter=default', ...files], { ...size, ...seeds })
  total.passes += passes
  total.failures += failures
  if (status !== 0) process.exitCode = 1
}
console.log(`${total.passes} passed, ${total.failures} failed`)
