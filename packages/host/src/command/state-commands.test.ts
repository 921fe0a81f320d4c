import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runStateDaemon, type StateDaemon } from '../method/fixtures/state-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

let daemon: StateDaemon

beforeAll(async () => {
  daemon = await runStateDaemon()
  daemon.write('.belay/skills/implement/SKILL.md', '---\nname: implement\ndescription: build it\nphases: [plan, build]\n---\n')
  daemon.write('AGENTS.md', 'rules')
})
afterAll(() => daemon.stop())

async function belay(argv: readonly string[], env: Record<string, string> = {}, stdin = '') {
  const { io, written } = createTestIo({
    stdin: [stdin],
    env: { BELAY_HOME: daemon.home, HOME: daemon.folder, BELAY_NO_AUTOSTART: '1', AGENT_ID: 'cli', ...env },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

test('an effort from start to finish', async () => {
  expect(await belay(['effort', 'phase', 'build'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('cli has no active effort; start one with: belay effort start'),
  })
  const started = await belay(['effort', 'start', 'implement', '--task', 'tasks/one'])
  expect(started).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`implement, phase plan, in ${join(daemon.project, 'tasks/one')}`),
  })
  await daemon.as('cli').hook('sessionStart', { source: 'startup' })
  expect(await belay(['log', 'wrote', 'the', 'parser'])).toMatchObject({ code: 0, out: expect.stringContaining('1_IMPLEMENT_LOG.md') })
  expect(await belay(['effort', 'phase', 'build', '--proof', '{'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--proof cannot be used'),
  })
  expect(await belay(['effort', 'phase', 'build', '--proof', '{"tests":1}'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('phase build'),
  })
  expect(JSON.parse((await belay(['effort', 'show', '--json'])).out)).toMatchObject({
    phase: 'build',
    phases: [{}, { proof: { tests: 1 } }],
  })
  expect(JSON.parse((await belay(['effort', 'list', '--json'])).out)).toMatchObject([
    { skill: 'implement', agent: 'cli', lifecycle: 'active' },
  ])
  expect(JSON.parse((await belay(['task', 'list', '--json'])).out)).toMatchObject([
    { dir: join(daemon.project, 'tasks/one'), state: 'active', efforts: 1 },
  ])
  expect(await belay(['dehydrate', '-'], {}, '{"summary":"so far"}')).toMatchObject({ code: 0 })
  expect(await belay(['dehydrate', '[1]'])).toMatchObject({ code: 2, err: expect.stringContaining('not a JSON object') })
  expect(await belay(['session', 'show'])).toMatchObject({ code: 0, out: expect.stringContaining('summary: so far') })
  for (const words of [
    ['effort', 'show'],
    ['session', 'show'],
    ['task', 'show', 'tasks/one'],
    ['skill', 'show', 'implement'],
  ])
    expect((await belay(words)).out).not.toMatch(/[{}]|"\w+":/)
  expect(await belay(['session', 'finish'])).toMatchObject({ code: 0, out: expect.stringContaining('has ended') })
  expect(await belay(['effort', 'inject', 'the build is red', '--path', 'build.log'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('its agent reads it at its next tool call (1 waiting)'),
  })
  expect(await belay(['effort', 'finish'])).toMatchObject({ code: 0, out: expect.stringContaining('is finished') })
  expect((await belay(['task', 'show', 'tasks/one'])).out).toContain('dormant')
  expect((await belay(['session', 'list'])).out).toContain('cli')
})

test('agents, roles, directives and skills', async () => {
  expect(await belay(['agent', 'bind', 'w7', 'auditor'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^export AGENT_ID='w7'\nexport BELAY_ACTOR='agent:auditor'\nexport BELAY_AGENT_SECRET='bas_[A-Za-z0-9_-]{43}'\n$/,
    ),
  })
  expect(await belay(['agent', 'bind', 'w7', 'human:ada'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a role of an agent'),
  })
  expect((await belay(['agent', 'show', 'w7'])).out).toMatch(/role +auditor/)
  expect(await belay(['agent', 'show', 'nobody'])).toMatchObject({ code: 1, err: expect.stringContaining('belay agent list') })
  expect((await belay(['agent', 'list'])).out).toContain('w7')
  expect((await belay(['directive', 'discover', 'src/x.ts'])).out).toBe(`${join(daemon.project, 'AGENTS.md')}\n`)
  expect((await belay(['directive', 'list'])).out).toContain('AGENTS.md')
  expect((await belay(['skill', 'list'])).out).toContain('plan > build')
  expect(await belay(['skill', 'show', 'nothing'])).toMatchObject({ code: 1 })
})

test('the name of an agent with a role lowers rights, with or without its secret', async () => {
  daemon.write(
    '.belay/genesis.key',
    'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:auditor":\n      deny: ["Write"]\n',
  )
  const write = { file_path: join(daemon.project, 'x'), content: '' }
  await expect.poll(() => daemon.as('w7').tool('Write', write)).toMatchObject({ decision: 'deny' })
  expect(await daemon.as('w8').tool('Write', write)).toMatchObject({ decision: 'none' })
})

test('a pause shows in the status, and can be ended', async () => {
  expect(await belay(['pause', 'long'])).toMatchObject({ code: 2, err: expect.stringContaining('no duration') })
  expect(await belay(['pause', '10m'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing is decided until') })
  expect((await belay(['status'])).out).toContain('PAUSED until')
  expect(await belay(['pause', 'off'])).toMatchObject({ code: 0 })
  expect((await belay(['status'])).out).not.toContain('PAUSED')
})

test.each([
  [['pause', 'banana'], 'banana is no duration'],
  [['pause', '2d'], 'a pause is 24 hours at most'],
  [['effort', 'start', ''], 'skill is missing'],
  [['effort', 'show', '0'], 'It is not a whole number from 1 on'],
])('%j is bad usage, not a no', async (argv, why) => {
  expect(await belay(argv)).toMatchObject({ code: 2, err: expect.stringContaining(why) })
})

test('without a daemon the remedy is named', async () => {
  expect(await belay(['agent', 'list'], { BELAY_HOME: join(daemon.folder, 'empty') })).toMatchObject({
    code: 2,
    err: expect.stringContaining('belay up --detach'),
  })
})
