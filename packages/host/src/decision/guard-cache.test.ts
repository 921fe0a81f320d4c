// When a guard is made anew: never later than a change of what it was built from, whenever that happens.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { findProject, projectSigns } from '../config/project.ts'
import { buildGuard, completeGuard, loadGuard } from '../guard/load-guard.ts'
import { createGuardCache } from './guard-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-guards-'))
const home = join(folder, 'home')
const place = { home, etc: folder, env: { HOME: folder } }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const policyOf = (project: string) => join(project, '.belay', 'genesis.key')
const textOf = (rule: string) => `version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["${rule}"]}}}\n`

function writePolicy(project: string, rule: string): void {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(policyOf(project), textOf(rule))
}

/** Tells which policy text is in force. */
function createCache(afterLoad: () => void = () => undefined) {
  let loads = 0
  const turn: { current: number | null } = { current: null }
  const cache = createGuardCache({
    load: root => {
      loads++
      const sources = loadGuard(root, place, root)
      afterLoad()
      return sources
    },
    complete: loaded => completeGuard(loaded, place),
    simulate: () => Promise.reject(new Error('not simulated here')),
    build: sources => buildGuard(sources, place, { config: {} }),
    projectOf: directory => findProject(directory, home),
    watched: root => [policyOf(root)],
    signsOf: (directory, project) => projectSigns(directory, project),
    onLoaded: () => undefined,
    // The clock stands still: nothing is noticed because time has passed.
    now: () => 0,
    turn,
    freshMs: 1,
  })
  const rules = (directory: string) =>
    cache
      .get(directory)
      .loaded.policies.flatMap(({ permissions }) => permissions?.actors.flatMap(({ deny }) => deny.map(({ text }) => text)))
  return { rules, loads: () => loads, turn }
}

/** Written long enough ago to be told from what is written next. */
async function settle(): Promise<void> {
  await sleep(50)
}

test('a policy is read again when it changes, and not before', async () => {
  const project = join(folder, 'plain')
  writePolicy(project, 'Bash(one *)')
  await settle()
  const { rules, loads } = createCache()
  expect([rules(project), rules(project), loads()]).toEqual([['Bash(one *)'], ['Bash(one *)'], 1])
  writePolicy(project, 'Bash(second *)')
  await settle()
  expect([rules(project), rules(project), loads()]).toEqual([['Bash(second *)'], ['Bash(second *)'], 2])
})

test('a policy that is written again and again with the same length is never missed', () => {
  const project = join(folder, 'quick')
  const { rules } = createCache()
  const words = Array.from({ length: 500 }, (_, at) => `Bash(word${1000 + at} *)`)
  const seen = words.map(word => {
    writePolicy(project, word)
    return rules(project)
  })
  expect(seen).toEqual(words.map(word => [word]))
})

test('a policy that is written while it is read is read again', () => {
  const project = join(folder, 'meanwhile')
  writePolicy(project, 'Bash(one *)')
  const { rules } = createCache(() => {
    if (!readFileSync(policyOf(project), 'utf8').includes('second')) writePolicy(project, 'Bash(second *)')
  })
  expect(rules(project)).toEqual(['Bash(second *)'])
})

test('a project that is made in a directory known before is found', () => {
  const project = join(folder, 'outer')
  writePolicy(project, 'Bash(outer *)')
  const inner = join(project, 'inner')
  mkdirSync(inner)
  const { rules } = createCache()
  expect(rules(inner)).toEqual(['Bash(outer *)'])
  writePolicy(inner, 'Bash(inner *)')
  expect(rules(inner)).toEqual(['Bash(inner *)'])
})

test('calls that begin together look once, and those of every later turn look again', async () => {
  const project = join(folder, 'together')
  writePolicy(project, 'Bash(one *)')
  await settle()
  const { rules, loads, turn } = createCache()
  rules(project)
  for (let round = 0; round < 100; round++) {
    turn.current = round
    const seen = [rules(project)]
    // These calls had all been sent before.
    writePolicy(project, `Bash(word${1000 + round} *)`)
    seen.push(rules(project))
    turn.current = round % 2 === 0 ? null : round + 1000
    seen.push(rules(project))
    const before = round === 0 ? 'Bash(one *)' : `Bash(word${999 + round} *)`
    const after = `Bash(word${1000 + round} *)`
    expect(seen).toEqual([[before], [before], [after]])
  }
  await settle()
  turn.current = 5000
  rules(project)
  const known = loads()
  writePolicy(project, 'Bash(later *)')
  expect([rules(project), loads() - known]).toEqual([['Bash(word1099 *)'], 0])
  turn.current = 5001
  expect([rules(project), loads() - known > 0]).toEqual([['Bash(later *)'], true])
})
