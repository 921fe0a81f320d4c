// npm run test:agents [-- --all] [--case=TEXT] [agent ...]: the real agents from npm, headless against a scripted model, guarded by the built
// Belay. Each does what its row in docs/conform says, and passes the cases beyond that.
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'

ensureInstalled()
ensureBuilt()
// Only what is built can be loaded.
const { CASES } = await import('../e2e/agents/case.mjs')
const { CLIENTS, fetchClient } = await import('../e2e/agents/client.mjs')
const { createGuardedHome } = await import('../e2e/agents/guarded-home.mjs')
const { conformAgent, readRow } = await import('./lib/conform.mjs')

const args = process.argv.slice(2)
const only = args.find(arg => arg.startsWith('--case='))?.slice('--case='.length)
const named = args.filter(arg => !arg.startsWith('--'))
const unknown = named.filter(agent => CLIENTS[agent] === undefined)
if (unknown.length > 0) {
  console.error(`No agent called ${unknown.join(', ')}. There are: ${Object.keys(CLIENTS).join(', ')}.`)
  process.exit(2)
}
if (only !== undefined && !CASES.some(({ name }) => name.includes(only))) {
  console.error(`No case has "${only}" in its name. There are:\n${CASES.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(2)
}
const agents = named.length > 0 ? named : args.includes('--all') ? Object.keys(CLIENTS) : ['claude-code', 'codex', 'gemini']

// A certificate file costs every Node start about 50 ms.
delete process.env.NODE_EXTRA_CA_CERTS

/** As many at once as there are agents in CI: most of the time each waits for the other side. */
const AT_ONCE = 3

let passed = 0
let failed = 0
for (const agent of agents) fetchClient(agent)
if (only === undefined)
  for (let at = 0; at < agents.length; at += AT_ONCE) await Promise.all(agents.slice(at, at + AT_ONCE).map(testConform))
for (const agent of agents) await testAgent(agent)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** What the table in docs says of an agent is what it does. */
async function testConform(agent) {
  const started = Date.now()
  let said = ''
  const row = await conformAgent(agent, {
    onText: text => {
      said += text
    },
  })
  const known = readRow(agent)
  const bad =
    row === null
      ? [said]
      : (known?.cases ?? []).flatMap(was =>
          difference(
            was,
            row.cases.find(({ id }) => id === was.id),
          ),
        )
  if (known === null || row?.version !== known.version)
    bad.push(`docs/conform has no row of this version: npm run conform -- ${agent} --write`)
  const count = row?.cases.length ?? 0
  passed += Math.max(count - bad.length, 0)
  failed += bad.length
  console.log(`  ${bad.length === 0 ? 'ok  ' : 'FAIL'} conform ${agent} ${row?.version ?? ''}: ${count} cases (${Date.now() - started} ms)`)
  for (const each of bad) console.log(`       not so: ${each}`)
}

function difference(was, is) {
  if (is?.state === was.state) return []
  return [`${was.id} was ${was.state} and is ${is?.state ?? 'not there'}${is?.note == null ? '' : `: ${is.note}`} (${was.title})`]
}

async function testAgent(agent) {
  const home = createGuardedHome(agent)
  console.log(`\n${agent} ${home.version}`)
  try {
    home.up()
    for (const { name, run, agents: suits = () => true } of CASES) {
      if (!suits(agent) || (only !== undefined && !name.includes(only))) continue
      await testCase(name, run, home)
    }
  } finally {
    home.close()
  }
}

async function testCase(name, run, home) {
  const started = Date.now()
  const checks = await run(home).catch(error => [['it can be run', false, error]])
  const bad = checks.filter(([, holds]) => holds !== true)
  passed += checks.length - bad.length
  failed += bad.length
  console.log(
    `  ${bad.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${checks.length - bad.length} of ${checks.length} (${Date.now() - started} ms)`,
  )
  for (const [what, , seen] of bad) console.log(`       not so: ${what}\n       ${describe(seen)}`)
}

function describe(seen) {
  if (seen instanceof Error) return seen.stack
  const text =
    typeof seen === 'string'
      ? seen
      : JSON.stringify(seen, (_key, value) => (typeof value === 'string' && value.length > 600 ? `${value.slice(0, 600)} ...` : value))
  return (text ?? '').slice(0, 3000)
}
