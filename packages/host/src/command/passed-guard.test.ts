// A denied call that ran all the same, as an agent does whose hook was killed: recorded, told to the model, shown by why and doctor.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(*)"]
      deny: [{ rule: "Bash(deploy *)", message: "nobody deploys from here" }]
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

async function belay(...argv: string[]) {
  const { io, written } = createTestIo({
    env: { ...daemon.env, NO_COLOR: '1', BELAY_NO_AUTOSTART: '1' },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  return { code: await runProgram(argv, io), ...written }
}

const call = (command: string, id?: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
  ...(id === undefined ? {} : { tool_use_id: id }),
})
const before = (command: string, id?: string) => daemon.hook('PreToolUse', call(command, id))
const after = (command: string, id?: string, response: unknown = { stdout: 'done' }, event = 'PostToolUse') =>
  daemon.hook(event, { ...call(command, id), tool_response: response })
const passed = async () => (await daemon.entries('guard_passed')).map(({ read }) => [read.toolUseId, read.reason])

test('nothing is said of calls that were let go, that failed, or whose result is the refusal', async () => {
  await before('ls', 'a')
  await after('ls', 'a')
  const { decision, reason } = await before('deploy now', 'b')
  expect(decision).toBe('deny')
  await after('deploy now', 'b', { error: reason })
  await before('deploy now', 'c')
  await after('deploy now', 'c', { error: 'x' }, 'PostToolUseFailure')
  expect(await passed()).toEqual([])
  expect((await belay('doctor', '--no-live')).out).not.toContain('ran all the same')
  expect((await belay('why', 'b')).out).not.toContain('RAN')
})

test('a denied call that ran is an entry, the model is told, and why and doctor say so', async () => {
  await before('deploy now', 'd')
  const answer = await after('deploy now', 'd')
  expect(answer.stdout).toContain('this call was denied (nobody deploys from here')
  expect(await passed()).toEqual([['d', expect.stringContaining('nobody deploys from here')]])
  expect((await belay('why', 'd')).out).toMatch(/RAN +it ran all the same: the guard was passed \(entry \d+\)/)
  const doctor = await belay('doctor', '--no-live')
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining('a denied call ran all the same in the last 7 days')])
  // Told once.
  expect((await after('deploy now', 'd')).stdout).toBe('')
})

test('where agents give calls no id, the same call that is let go later is none of these', async () => {
  await before('deploy later')
  await after('deploy later')
  expect((await passed()).length).toBe(2)
  await before('deploy twice')
  await daemon.rpc('daemon.pause', { duration: '1h' })
  await before('deploy twice')
  await after('deploy twice')
  await daemon.rpc('daemon.resume', {})
  expect((await passed()).length).toBe(2)
})

test('people see it in the fleet and on the page, and that an agent runs unguarded', async () => {
  const said = 'a denied call of Bash ran all the same'
  const list = await belay('fleet')
  expect(list.out).toMatch(/NOT GUARDED: a denied call of Bash ran all the same/)
  const frame = async () => ((await daemon.rpc('page.frame', {})) as { result: { unguarded: readonly Record<string, unknown>[] } }).result
  expect((await frame()).unguarded).toContainEqual({
    agent: 'claude-code',
    project: daemon.project,
    message: expect.stringContaining(said),
    remedy: 'belay ledger query --kind guard_passed',
  })
  mkdirSync(join(daemon.project, '.claude'), { recursive: true })
  expect((await belay('install', 'claude-code', '--scope', 'project')).code).toBe(0)
  const file = join(daemon.project, '.claude', 'settings.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...settings, disableAllHooks: true }))
  await expect
    .poll(async () => (await frame()).unguarded.map(({ message }) => message), { timeout: 20_000, interval: 500 })
    .toContainEqual(expect.stringContaining('disableAllHooks'))
})
