// `belay init` as a newcomer meets it: what it says, what it changes, and that it takes back exactly that.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type Daemon, startDaemon } from '../daemon/start-daemon.ts'
import type { CommandIo } from '../terminal/io.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { VERSION } from './help.ts'
import { runProgram } from './program.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-init-')))
const user = join(folder, 'user')
const settings = join(user, '.claude', 'settings.json')
const [a, b] = [join(folder, 'a'), join(folder, 'b')]
const env = { HOME: user, BELAY_HOME: join(folder, 'belay'), PATH: '/usr/bin:/bin', BELAY_NO_AUTOSTART: '1' }
let daemon: Daemon

beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(user, '.claude'), { recursive: true })
  for (const project of [a, b]) spawnSync('git', ['init', '-q', project])
  const started = await startDaemon({
    home: env.BELAY_HOME,
    etc: join(folder, 'etc'),
    env,
    port: 0,
    version: VERSION,
    log: () => undefined,
  })
  if (!started.ok) throw new Error(started.why)
  daemon = started.daemon
})
afterEach(() => daemon.stop())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function belayIn(cwd: string, argv: readonly string[], change: Partial<CommandIo> = {}) {
  const { io, written } = createTestIo({ env, cwd, etc: join(folder, 'etc') })
  const code = await runProgram(argv, { ...io, ...change })
  return { code, ...written }
}

const policyOf = (project: string) => join(project, '.belay', 'genesis.key')
const isWired = () => existsSync(settings) && readFileSync(settings, 'utf8').includes('belay-hook')
const files = (place: string) => readdirSync(place, { recursive: true }).map(String).sort()

test('it says what it wrote and changed, where the page is and what to commit', async () => {
  writeFileSync(settings, '{ "model": "opus" }')
  const { code, out } = await belayIn(a, ['init'])
  expect(code).toBe(0)
  expect(out).toContain(`policy  wrote ${policyOf(a)}`)
  expect(out).toContain(`commit ${join(a, '.belay')}`)
  expect(out).toContain(`agent   Claude Code: changed ${settings}`)
  expect(out).toContain(`daemon  runs; the page is ${daemon.url}`)
  expect(out).toContain('From now on each tool call is judged')
  expect(out).not.toContain('Nothing is guarded')
})

test('the first line of each file that it writes names a schema that stands beside it', async () => {
  expect((await belayIn(a, ['init', '--checkpoints', join(folder, 'notes')])).code).toBe(0)
  const written = [policyOf(a), policyOf(a).replace(/\.key$/, '.test.yaml'), join(env.BELAY_HOME, 'config.toml')]
  for (const file of written) {
    const [first = ''] = readFileSync(file, 'utf8').split('\n')
    const [, schema = ''] = /^(?:# yaml-language-server: \$schema=|#:schema )(\S+)$/.exec(first) ?? []
    expect([file, JSON.parse(readFileSync(join(file, '..', schema), 'utf8')).$schema]).toEqual([
      file,
      expect.stringContaining('json-schema.org'),
    ])
  }
  expect(existsSync(join(a, '.belay', 'schema', 'hooks.json'))).toBe(true)
})

test('where no agent is found it says that nothing is guarded', async () => {
  rmSync(join(user, '.claude'), { recursive: true })
  const { out } = await belayIn(a, ['init'])
  expect(out).toContain('Nothing is guarded yet: no agent was found')
  expect(out).toMatch(/agents: .*claude-code/)
  expect(out).not.toContain('From now on')
})

test('--undo takes exactly that back', async () => {
  writeFileSync(settings, '{ "model": "opus" }')
  expect(JSON.parse((await belayIn(a, ['init', '--json'])).out)).toMatchObject({
    ...{ wrotePolicy: true, installed: ['claude-code'], changed: [settings], daemon: true, page: daemon.url },
  })
  expect([existsSync(policyOf(a)), isWired()]).toEqual([true, true])
  expect(JSON.parse((await belayIn(a, ['init', '--json'])).out)).toMatchObject({ wrotePolicy: false, installed: [], changed: [] })
  expect((await belayIn(a, ['init', '--undo'])).code).toBe(0)
  expect([existsSync(policyOf(a)), readFileSync(settings, 'utf8')]).toEqual([false, '{ "model": "opus" }'])
  expect((await belayIn(a, ['init', '--undo'])).code).toBe(1)
})

test('--dry-run names every file that would change, and changes none', async () => {
  writeFileSync(settings, '{ "model": "opus" }\n')
  const before = files(folder)
  const { code, out } = await belayIn(a, ['init', '--dry-run'])
  expect([code, files(folder)]).toEqual([0, before])
  expect(out).toContain(`would write ${policyOf(a)}`)
  expect(out).toContain(`Claude Code: would change ${settings} (`)
  expect(out.split('\n').length).toBeLessThan(8)
  expect((await belayIn(a, ['install', 'claude-code', '--dry-run'])).out).toMatch(new RegExp(`^\\+\\+\\+ ${settings}`, 'm'))
  expect(JSON.parse((await belayIn(a, ['init', '--dry-run', '--json'])).out)).toEqual({
    ...{ dryRun: true, policy: policyOf(a), wrotePolicy: true, agents: ['claude-code'], changed: [settings], startsDaemon: false },
  })
  await belayIn(a, ['init'])
  const wired = readFileSync(settings, 'utf8')
  expect((await belayIn(a, ['init', '--undo', '--dry-run'])).out).toContain('took Belay out of Claude Code')
  expect([readFileSync(settings, 'utf8') === wired, existsSync(policyOf(a))]).toEqual([true, true])
})

test.each([
  ['the first project', a, b],
  ['the second project', b, a],
])('undone in %s, the other stays guarded until it is undone there', async (_title, first, second) => {
  await belayIn(a, ['init'])
  await belayIn(b, ['init'])
  const { code, out } = await belayIn(first, ['init', '--undo'])
  expect([code, isWired(), existsSync(policyOf(first)), existsSync(policyOf(second))]).toEqual([0, true, false, true])
  if (first === a) expect(out).toContain(`Claude Code and the daemon stay: ${second} is guarded by them too`)
  expect((await belayIn(second, ['init', '--undo'])).out).toContain('took Belay out of Claude Code')
  expect([isWired(), existsSync(policyOf(second))]).toEqual([false, false])
})

test('a project that is gone keeps nothing', async () => {
  await belayIn(a, ['init'])
  await belayIn(b, ['init'])
  rmSync(b, { recursive: true })
  await belayIn(a, ['init', '--undo'])
  expect(isWired()).toBe(false)
})

test('who stops reading does not stop it half-way', async () => {
  const closed = {
    write: () => {
      throw new Error('nobody reads')
    },
  }
  await expect(belayIn(a, ['init'], { stdout: closed })).rejects.toThrow('nobody reads')
  expect([existsSync(policyOf(a)), isWired()]).toEqual([true, true])
  expect((await belayIn(a, ['init', '--undo'])).code).toBe(0)
  expect([existsSync(policyOf(a)), isWired()]).toEqual([false, false])
})
