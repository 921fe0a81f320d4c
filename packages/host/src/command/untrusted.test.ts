// A policy that nobody has trusted: said in the denial, by `why`, `status` and `explain`, each with the one command that trusts it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const policy = (byDefault: string) => `version: "2.0"
permissions:
  default: ${byDefault}
  actors:
    "agent:*":
      allow: ["Bash(ls *)"]
      deny: ["Bash(rm *)"]
`

let daemon: TestDaemon
const place = (name: string) => join(daemon.folder, name)
const TRUST = /\S+genesis\.key is not trusted on this machine.*belay policy trust/

beforeAll(async () => {
  daemon = await runDaemon({ policy: policy('deny') })
  for (const name of ['deny', 'ask']) {
    mkdirSync(join(place(name), '.belay'), { recursive: true })
    writeFileSync(join(place(name), '.belay', 'genesis.key'), policy(name))
  }
  mkdirSync(place('quiet/.belay'), { recursive: true })
  writeFileSync(join(place('quiet'), '.belay', 'genesis.key'), policy('none'))
})
afterAll(() => daemon.stop())

const bash = (cwd: string, command: string) =>
  daemon.hook('PreToolUse', { cwd, session_id: cwd, tool_name: 'Bash', tool_input: { command } })

async function belay(cwd: string, ...argv: readonly string[]) {
  const { io, written } = createTestIo({ env: { ...daemon.env, PATH: undefined }, cwd, etc: place('etc') })
  const code = await runProgram(argv, io)
  return { code, text: written.out + written.err }
}

test.each(['deny', 'ask'])('the denial says it, where the default is %s', async name => {
  const { reason } = await bash(place(name), 'ls src')
  expect(reason).toMatch(
    /genesis\.key is not trusted on this machine as it is now, so what only it allows does not hold: \S*belay\S* policy trust/,
  )
})

test('a rule of its own that denies is the whole reason, and a trusted policy says nothing', async () => {
  expect((await bash(place('deny'), 'rm x')).reason).not.toMatch(/not trusted/)
  expect((await bash(daemon.project, 'make')).reason).not.toMatch(/not trusted/)
})

test.each([[['status']], [['explain', '--', 'ls src']], [['why']]])('belay %j says it', async argv => {
  await bash(place('deny'), 'ls src')
  expect(
    (await belay(place('deny'), ...argv)).text.replace(/NOT TRUSTED (\S+): .*\s+accept it with:/, '$1 is not trusted on this machine'),
  ).toMatch(TRUST)
  await bash(daemon.project, 'make')
  expect((await belay(daemon.project, ...argv)).text).not.toMatch(/not trusted/i)
})

test('why is about this project, and --all about any', async () => {
  await bash(place('deny'), 'rm here')
  await bash(daemon.project, 'rm there')
  expect((await belay(place('deny'), 'why')).text).toContain('rm here')
  expect((await belay(place('deny'), 'why', '--all')).text).toContain('rm there')
  expect(await belay(place('quiet'), 'why')).toMatchObject({ code: 1, text: expect.stringContaining('elsewhere: belay why --all') })
})

test('a policy that was changed by hand is said once, as changed, with the command that accepts it', async () => {
  const edited = place('edited')
  mkdirSync(join(edited, '.belay'), { recursive: true })
  const file = join(edited, '.belay', 'genesis.key')
  writeFileSync(file, policy('deny'))
  expect((await belay(edited, 'policy', 'trust')).code).toBe(0)
  writeFileSync(file, policy('deny').replace('"Bash(ls *)"', '"Bash(ls *)", "Bash(make *)"'))
  await bash(edited, 'make all')
  for (const argv of [['status'], ['explain', '--', 'make all'], ['why']]) {
    const { text } = await belay(edited, ...argv)
    expect(text).toMatch(/was changed and nobody has accepted that[\s\S]*belay policy trust/)
    expect(text).not.toMatch(/note: \S+ is not trusted|NOT TRUSTED/)
  }
})
