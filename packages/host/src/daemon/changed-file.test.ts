// A change of any file that decides holds for the very next call, however many calls come just before it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { addTrust } from '../config/trust.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

let daemon: TestDaemon
let isOver = false
let hammering: readonly Promise<number>[] = []

beforeAll(async () => {
  daemon = await runDaemon({ policy: policyText('nothing') })
  hammering = Array.from({ length: 3 }, () => hammer())
})
afterAll(async () => {
  isOver = true
  const calls = await Promise.all(hammering)
  await daemon.stop()
  expect(calls.every(count => count > 0)).toBe(true)
})

/** Every text has the same length, so that only times can tell. */
function policyText(word: string): string {
  return `version: "2.0"\nhooks_from: [genesis, hooks_toml, settings]\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(${word.padEnd(9, 'x')} *)"]}}}\n`
}

async function hammer(): Promise<number> {
  let calls = 0
  for (; !isOver; calls++) await ask('ls')
  return calls
}

async function ask(command: string, agent = 'claude-code'): Promise<boolean> {
  const { exit, decision } = await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } }, { agent })
  return decision === 'deny' || exit === 2
}

/** As a person who then accepts it with `belay policy trust`. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  addTrust(homePaths(daemon.home).trust, path, sha256Hex(text))
}

/** Refuses a call that has the word in it. */
const commandText = (word: string) => `if grep -q ${word}; then exit 2; fi`
const hookText = (word: string) =>
  `[[hooks]]\nevent = "PreToolUse"\nname = "stop"\n[hooks.shell]\npass_context = true\ncommand = "${commandText(word)}"\n`
const settingsText = (word: string) =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: commandText(word) }] }] } })

interface Case {
  readonly file: string
  readonly rounds: number
  readonly agent?: string
  place(): string
  text(word: string): string
}

const CASES: readonly Case[] = [
  { file: "the project's genesis.key", rounds: 20, place: () => join(daemon.project, '.belay', 'genesis.key'), text: policyText },
  { file: "the user's genesis.key", rounds: 20, place: () => join(daemon.home, 'policy', 'genesis.key'), text: policyText },
  { file: 'hooks.toml', rounds: 5, place: () => join(daemon.home, 'hooks.toml'), text: hookText },
  {
    file: 'settings of an agent',
    rounds: 5,
    agent: 'codex',
    place: () => join(daemon.folder, '.claude', 'settings.json'),
    text: settingsText,
  },
]

test.each(CASES)('$file', async ({ rounds, agent, place, text }) => {
  for (let round = 0; round < rounds; round++) {
    const word = `word${10000 + round}`
    write(place(), text(word))
    const isNew = await ask(`${word} now`, agent)
    const isOld = await ask(`word${10000 + round - 1} now`, agent)
    expect({ round, isNew, isOld }).toEqual({ round, isNew: true, isOld: false })
  }
})

test('a rule that nobody has accepted yet, where it tightens', async () => {
  for (let round = 0; round < 20; round++) {
    const word = `hard${10000 + round}`
    writeFileSync(join(daemon.project, '.belay', 'genesis.key'), policyText(word))
    expect([round, await ask(`${word} now`)]).toEqual([round, true])
  }
})

test('config.toml', async () => {
  write(join(daemon.home, 'hooks.toml'), hookText('config.now'))
  for (let round = 0; round < 10; round++) {
    const isOff = round % 2 === 0
    writeFileSync(join(daemon.home, 'config.toml'), `[hooks]\ndisable_all_hooks = ${isOff ? 'true ' : 'false'}\n`)
    expect([round, await ask('config now')]).toEqual([round, !isOff])
  }
})

test('a policy folder that appears in a folder below', async () => {
  const below = join(daemon.project, 'below')
  mkdirSync(below)
  const inBelow = async (command: string) => {
    const { decision } = await daemon.hook('PreToolUse', { cwd: below, tool_name: 'Bash', tool_input: { command } })
    return decision
  }
  expect(await inBelow('inner now')).toBe(undefined)
  write(join(below, '.belay', 'genesis.key'), policyText('inner').replace('innerxxxx', 'inner'))
  expect(await inBelow('inner now')).toBe('deny')
})
