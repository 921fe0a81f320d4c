// npm run conform -- [--all] [--write] [--outdated] [--only=TEXT] [agent ...]: `belay conform` with the real agents from npm. --write puts the
// rows into docs/conform and their table into docs/guide/agents.md; --outdated compares the versions that we name with npm's.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './lib/ensure.mjs'

ensureInstalled()
ensureBuilt()
// Only what is built can be loaded.
const { CLIENTS } = await import('../e2e/agents/client.mjs')
const { conformAgent, ROWS, readRow } = await import('./lib/conform.mjs')
const { KIT } = await import('./lib/kit.mjs')

const GUIDE = join(root, 'docs', 'guide', 'agents.md')
const args = process.argv.slice(2)
const named = args.filter(arg => !arg.startsWith('--'))
const only = args.find(arg => arg.startsWith('--only='))?.slice('--only='.length) ?? null
const unknown = named.filter(agent => CLIENTS[agent] === undefined)
if (unknown.length > 0 || (named.length === 0 && !args.some(arg => ['--all', '--outdated', '--table'].includes(arg)))) {
  console.error(`usage: npm run conform -- [--all] [--write] [--only=TEXT] [--outdated] [--table] [agent ...]`)
  console.error(`agents: ${Object.keys(CLIENTS).join(' ')}`)
  process.exit(2)
}
if (args.includes('--outdated')) process.exit(showOutdated())
if (args.includes('--table')) {
  writeTable()
  process.exit(0)
}
let isGood = true
for (const agent of named.length > 0 ? named : Object.keys(CLIENTS)) {
  const row = await conformAgent(agent, { only, onText: text => process.stdout.write(text) })
  if (row === null || row.cases.some(({ state }) => state === 'ignored' || state === 'untried')) isGood = false
  if (row !== null) showDrift(row)
  if (row === null || only !== null || !args.includes('--write')) continue
  mkdirSync(ROWS, { recursive: true })
  writeFileSync(join(ROWS, `${agent}.json`), `${JSON.stringify(row, null, 2)}\n`)
  writeTable()
}
process.exit(isGood ? 0 : 1)

function showDrift(row) {
  const before = readRow(row.agent)
  if (before === null || only !== null) return
  for (const { id, before: was, after: is } of KIT.compareRows(before, row))
    console.log(`differs from ${before.version}: ${id} was ${was?.state ?? 'not there'}, is ${is?.state ?? 'not there'}`)
}

function writeTable() {
  const rows = Object.keys(CLIENTS)
    .map(readRow)
    .filter(row => row !== null)
  const text = readFileSync(GUIDE, 'utf8')
  const [before, rest] = text.split('<!-- conform -->\n')
  const [, after] = rest.split('<!-- /conform -->\n')
  writeFileSync(GUIDE, `${before}<!-- conform -->\n${KIT.renderSupport(rows)}<!-- /conform -->\n${after}`)
}

function showOutdated() {
  let isOutdated = false
  for (const [agent, { package: name, version }] of Object.entries(CLIENTS)) {
    const said = JSON.parse(execFileSync('npm', ['view', `${name}@latest`, 'version', 'engines', '--json'], { encoding: 'utf8' }))
    const newest = said.version ?? said
    if (newest !== version) isOutdated = true
    const node = said.engines?.node === undefined ? '' : `, for Node ${said.engines.node}`
    console.log(
      `${newest === version ? 'newest  ' : 'outdated'} ${agent.padEnd(12)} ${name} ${version}${newest === version ? '' : ` -> ${newest}`}${node}`,
    )
  }
  return isOutdated ? 1 : 0
}
