#!/usr/bin/env node
// npm run compare: Belay beside cc-safety-net from npm on the shared cases: what each catches, misses and stops without need.
// Prints the tables of docs/guide/matcher.md. Nothing of the cases is run; both guards are called in this process.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchPackage } from '../e2e/agents/client.mjs'
import { ensureBuilt, ensureInstalled, root } from './lib/ensure.mjs'
import { fairCase } from './lib/fair-cases.mjs'

/** Named, so that the tables can be made again. */
const PEER = { name: 'cc-safety-net', version: '2.4.5' }
const LEVELS = ['standard', 'strict']

ensureInstalled()
ensureBuilt()
const { decide, ownRules, readCases } = await import('./lib/score-cases.mjs')
const attacks = readCases('red-team-cases.jsonl')
const harmless = readCases('red-team-benign.jsonl')
if (attacks === null || harmless === null) {
  console.error('compare: the shared cases are not here (../shared/corpus), so there is nothing to compare')
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'belay-compare-'))
try {
  const guards = [{ name: 'Belay', stops: stopsBelay }, ...(await peerGuards(folder))]
  const cases = attacks.map(fairCase).filter(row => row !== null)
  const judged = cases.map(row => ({ row, stopped: guards.map(({ stops }) => stops(row)) }))
  const alarms = harmless.map(row => ({ row, stopped: guards.map(({ stops }) => stops(row)) }))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Belay ${version}, ${PEER.name} ${PEER.version}: ${cases.length} attacks, ${harmless.length} harmless commands.\n`,
  )
  printTable('what it does', judged, row => row.action, guards)
  printTable('how it is hidden', judged, row => row.category, guards)
  printAlarms(alarms, guards)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The rules of the case: `Bash(*)` with a dozen denies. An ask holds the command up until a person answers. */
function stopsBelay(row) {
  const { decision } = decide(row, ownRules(row)).verdict
  return decision === 'deny' || decision === 'ask'
}

async function peerGuards(folder) {
  const home = fetchPackage(PEER.name, PEER.version)
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  if (version !== PEER.version) throw new Error(`${home} is version ${version}, not ${PEER.version}: remove that folder and start again`)
  const { checkCommand } = await import(pathToFileURL(join(home, 'dist', 'api.js')))
  const cwd = join(folder, 'repo')
  mkdirSync(cwd)
  // Its settings and its log stay out of the user's home.
  process.env.CC_SAFETY_NET_HOME = join(folder, 'settings')
  process.env.HOME = '/home/dev'
  return LEVELS.map(level => ({
    name: `${PEER.name}, ${level}`,
    stops: ({ input: { command } }) => {
      process.env.CC_SAFETY_NET_LEVEL = level
      return checkCommand({ command, cwd }).kind === 'deny'
    },
  }))
}

function printTable(title, judged, classOf, guards) {
  const classes = groupBy(judged, ({ row }) => classOf(row))
  console.log(`| ${title} | cases | ${guards.map(({ name }) => `${name}: caught | missed`).join(' | ')} |`)
  console.log(`|---|${'---|'.repeat(1 + 2 * guards.length)}`)
  for (const [name, rows] of [...classes].toSorted(([, a], [, b]) => b.length - a.length)) printRow(name, rows, guards)
  printRow('all', judged, guards)
  console.log()
}

function groupBy(list, keyOf) {
  const groups = new Map()
  for (const each of list) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each])
  return groups
}

function printRow(name, rows, guards) {
  const counts = guards.map((_, index) => rows.filter(({ stopped }) => stopped[index]).length)
  console.log(`| ${name} | ${rows.length} | ${counts.map(caught => `${caught} | ${rows.length - caught}`).join(' | ')} |`)
}

function printAlarms(alarms, guards) {
  console.log(`| harmless commands | ${guards.map(({ name }) => `${name}: stopped`).join(' | ')} |\n|---|${'---|'.repeat(guards.length)}`)
  const counts = guards.map((_, index) => alarms.filter(({ stopped }) => stopped[index]).length)
  console.log(`| ${alarms.length} | ${counts.map(count => `${count} (${((100 * count) / alarms.length).toFixed(1)} %)`).join(' | ')} |`)
}
