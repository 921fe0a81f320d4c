// A change of any file that decides holds for the very next call, however many calls come just before it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { addTrust } from '../config/trust.ts'
import { askDaemon } from '../wire/daemon-client.ts'
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

async function askHttp(command: string): Promise<boolean> {
  const payload = { session_id: 's2', cwd: daemon.project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
  const path = '/v1/hooks/claude-code/PreToolUse'
  const answer = await askDaemon({ socket: daemon.paths.socket, method: 'POST', path, body: payload, timeoutMs: 30_000 })
  if (answer.kind !== 'answer') throw new Error(answer.kind)
  return JSON.stringify(answer.value).includes('"deny"')
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

test('many calls that are sent at once, through both doors, just after the change and just before the next', async () => {
  const askAll = (word: string) => Promise.all(Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? askHttp : ask)(`${word} now`)))
  const seen: (readonly boolean[])[] = []
  let sent = Promise.resolve<readonly boolean[]>([])
  for (let round = 0; round < 8; round++) {
    const word = `many${10000 + round}`
    write(join(daemon.project, '.belay', 'genesis.key'), policyText(word))
    sent = askAll(word)
    // Half of them while the daemon has connections of the round before in its hands.
    if (round % 2 === 0) seen.push(await Promise.race([sent, ask(`${word} first`).then(isNew => [isNew])]))
    seen.push(await sent)
  }
  expect(seen.flat().filter(isNew => !isNew)).toEqual([])
})

test('a change that is made when an answer comes holds for whatever is sent after it', async () => {
  const place = join(daemon.project, '.belay', 'genesis.key')
  for (let round = 0; round < 8; round++) {
    const word = `seen${10000 + round}`
    // The first of these answers is followed at once by the change and by calls on connections of their own.
    const later = await Promise.race(
      Array.from({ length: 8 }, () =>
        ask('ls').then(() => {
          write(place, policyText(word))
          return Promise.all([ask(`${word} now`), askHttp(`${word} now`), ask(`${word} again`)])
        }),
      ),
    )
    expect({ round, later }).toEqual({ round, later: [true, true, true] })
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
