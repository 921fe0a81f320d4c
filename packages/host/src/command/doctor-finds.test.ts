// Everything that makes a guard fail while its files still look right: each is a FAIL with a remedy, and exit code 1.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Daemon, startDaemon } from '../daemon/start-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { VERSION } from './help.ts'
import { runProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-finds-'))
const [user, project, home] = ['user', 'project', 'belay'].map(name => join(folder, name)) as [string, string, string]
const env = { HOME: user, BELAY_HOME: home, PATH: '/usr/bin:/bin', BELAY_NO_AUTOSTART: '1' }
let daemon: Daemon | null = null

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(user, { recursive: true })
  spawnSync('git', ['init', '-q', project])
})
afterEach(async () => {
  await daemon?.stop()
  daemon = null
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function belay(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { io, written } = createTestIo({ env, cwd: project, etc: join(folder, 'etc') })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

async function up(): Promise<void> {
  const started = await startDaemon({ home, etc: join(folder, 'etc'), env, port: 0, version: VERSION, log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  daemon = started.daemon
}

/** What is wrong, each with its remedy, and that the command says so by its code. */
async function wrong(agent: string): Promise<readonly string[]> {
  const { code, out } = await belay('doctor', agent, '--no-live', '--json')
  const { findings } = JSON.parse(out) as { findings: { state: string; message: string; remedy?: string }[] }
  const fails = findings.filter(({ state }) => state === 'fail')
  expect(code).toBe(fails.length === 0 ? 0 : 1)
  expect(fails.filter(({ remedy }) => remedy === undefined)).toEqual([])
  return fails.map(({ message }) => message)
}

type Json = Record<string, unknown>

function edit(file: string, change: (value: Json) => void): void {
  mkdirSync(dirname(file), { recursive: true })
  let value: Json = {}
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It is not there yet.
  }
  change(value)
  writeFileSync(file, JSON.stringify(value, null, 2))
}

type Group = { matcher?: string; hooks: Json[] } & Json

/** The entry of ours for an event, of an agent whose entries are groups. */
const inGroup = (event: string, change: (group: Group, handler: Json) => void) => (value: Json) => {
  const group = (value.hooks as Record<string, Group[]>)[event]?.[0]
  const handler = group?.hooks[0]
  if (group === undefined || handler === undefined) throw new Error(`no hook for ${event}`)
  change(group, handler)
}

const claude = join(user, '.claude', 'settings.json')

const weakened: readonly (readonly [string, (value: Json) => void])[] = [
  ['its matcher is `Bash`', inGroup('PreToolUse', group => Object.assign(group, { matcher: 'Bash' }))],
  ['its matcher is `^$`', inGroup('PreToolUse', group => Object.assign(group, { matcher: '^$' }))],
  ['its timeout is 1,', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { timeout: 1 }))],
  ['it lacks timeout', inGroup('PreToolUse', (_group, handler) => delete handler.timeout)],
  ['it has async: true', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { async: true }))],
  ['it has if: `Bash(never)`', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { if: 'Bash(never)' }))],
  ['its type is `http`', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { type: 'http' }))],
  ['its line was changed', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { command: `${handler.command} || true` }))],
  ['its line was changed', inGroup('PreToolUse', (_group, handler) => Object.assign(handler, { command: `exit 0; ${handler.command}` }))],
  [
    'its line was changed',
    inGroup('PreToolUse', (_group, handler) =>
      Object.assign(handler, { command: String(handler.command).replace('claude-code', 'codex') }),
    ),
  ],
  [
    'lines of another installation',
    inGroup('Stop', (_group, handler) => Object.assign(handler, { command: String(handler.command).replace(home, '/elsewhere') })),
  ],
]

test.each(['codex', 'gemini', 'cursor', 'qwen', 'goose'])('%s: a file that begins with a byte order mark', async agent => {
  await up()
  await belay('install', agent)
  expect(await wrong(agent)).toEqual([])
  const { out } = await belay('doctor', agent, '--no-live', '--json')
  const path = /"wiring","state":"ok","message":"([^",]+)/.exec(JSON.stringify(JSON.parse(out)))?.[1] ?? ''
  writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}`)
  expect(await wrong(agent)).toEqual([`${path} begins with a byte order mark, with which ${findAgent(agent)?.name} may read none of it`])
})

describe('`belay status` says it too, without trying anything', () => {
  const status = async () => {
    const { unguarded } = JSON.parse((await belay('status', '--json')).out) as { unguarded: { agent: string; message: string }[] }
    return unguarded.map(({ agent, message }) => `${agent}: ${message}`)
  }

  test.each([
    [
      'hooks that a cloned repository switches off',
      join(project, '.claude', 'settings.json'),
      (value: Json) => void Object.assign(value, { disableAllHooks: true }),
    ],
    ['an entry that is taken out', claude, (value: Json) => void delete (value.hooks as Json).PreToolUse],
    ['a variable for the shell of our lines', claude, (value: Json) => void Object.assign(value, { env: { LD_PRELOAD: 'x' } })],
  ])('%s', async (_what, file, change) => {
    await belay('install', 'claude-code')
    expect(await status()).toEqual([])
    edit(file, change)
    expect(await status()).toEqual([expect.stringContaining(`claude-code: ${file}`)])
    expect((await belay('status')).out).toContain(`NOT GUARDED claude-code: ${file}`)
  })
})

describe('an entry of ours that guards no more', () => {
  test.each(weakened)('%s', async (said, change) => {
    await up()
    await belay('install', 'claude-code')
    expect(await wrong('claude-code')).toEqual([])
    edit(claude, change)
    expect(await wrong('claude-code')).toEqual(expect.arrayContaining([expect.stringContaining(said)]))
  })

  test('what does no harm is let be: more time, a name, a handler of somebody else beside ours', async () => {
    await up()
    await belay('install', 'claude-code')
    edit(
      claude,
      inGroup('PreToolUse', (group, handler) => {
        Object.assign(handler, { timeout: 600, statusMessage: 'judging' })
        Object.assign(group, { matcher: '*' })
        group.hooks.push({ type: 'command', command: 'mine', timeout: 1 })
      }),
    )
    expect(await wrong('claude-code')).toEqual([])
  })

  test('one that is no longer first where hooks run one after the other', async () => {
    await up()
    await belay('install', 'windsurf')
    const file = join(user, '.codeium', 'windsurf', 'hooks.json')
    edit(file, value => (value.hooks as Record<string, unknown[]>).pre_run_command?.unshift({ command: 'mine' }))
    expect(await wrong('windsurf')).toEqual([expect.stringContaining('it is not the first')])
  })
})

const switches: readonly (readonly [string, string, Json | string])[] = [
  ['claude-code', join(user, '.claude', 'settings.json'), { disableAllHooks: true }],
  ['claude-code', join(project, '.claude', 'settings.json'), { disableAllHooks: true }],
  ['claude-code', join(project, '.claude', 'settings.local.json'), { disableAllHooks: true }],
  ['gemini', join(project, '.gemini', 'settings.json'), { hooksConfig: { enabled: false } }],
  ['gemini', join(user, '.gemini', 'settings.json'), { hooksConfig: { disabled: ['belay'] } }],
  ['gemini', join(user, '.gemini', 'settings.json'), { tools: { enableHooks: false } }],
  ['qwen', join(user, '.qwen', 'settings.json'), { disableAllHooks: true }],
  ...[join(project, '.env'), join(project, '.qwen', '.env'), join(user, '.qwen', '.env')].flatMap(file =>
    ['QWEN_CODE_SAFE_MODE=1\n', 'A=1\nexport QWEN_CODE_SIMPLE="true"\n'].map(text => ['qwen', file, text] as const),
  ),
  ['qwen', join(project, '.qwen', 'settings.json'), { env: { QWEN_CODE_SAFE_MODE: '1' } }],
  ['continue', join(project, '.claude', 'settings.json'), { disableAllHooks: true }],
  ['droid', join(user, '.factory', 'settings.json'), { hooksDisabled: true }],
  ['codex', join(user, '.codex', 'config.toml'), '[features]\nhooks = false\n'],
  ['codex', join(project, '.codex', 'config.toml'), '[features]\ncodex_hooks = false\n'],
]

test.each(switches)('%s: hooks switched off in %s', async (agent, file, setting) => {
  await up()
  await belay('install', agent)
  const before = await wrong(agent)
  // An agent that runs no hook at all is told of first.
  expect(before).toEqual([findAgent(agent)?.runsNoHooks].filter(text => text != null))
  if (typeof setting === 'string') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, setting)
  } else edit(file, value => Object.assign(value, setting))
  expect((await wrong(agent)).filter(text => !before.includes(text))).toEqual([expect.stringContaining(`${file} switches our hooks off`)])
})

const VARIABLES =
  'LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GCONV_PATH GLIBC_TUNABLES PATH SHELL BASH_ENV ENV BASH_FUNC_trap%% SHELLOPTS BASHOPTS BASH_XTRACEFD PS4 IFS'

test('variables that settings of a repository give the shell of the hook line', async () => {
  await up()
  await belay('install', 'claude-code')
  const names = VARIABLES.split(' ')
  edit(join(project, '.claude', 'settings.json'), value =>
    Object.assign(value, { env: { DEBUG: '1', ...Object.fromEntries(names.map(name => [name, 'x'])) } }),
  )
  const [found, ...others] = await wrong('claude-code')
  expect([found, others]).toEqual([expect.stringContaining(`sets ${names.join(', ')} for the shell`), []])
  edit(join(project, '.claude', 'settings.json'), value => Object.assign(value, { env: { DEBUG: '1', PATHS: 'x' } }))
  expect(await wrong('claude-code')).toEqual([])
  edit(join(project, '.claude', 'settings.local.json'), value => Object.assign(value, { env: { CLAUDE_CODE_SHELL_PREFIX: 'true' } }))
  expect(await wrong('claude-code')).toEqual([expect.stringContaining('switches our hooks off (env.CLAUDE_CODE_SHELL_PREFIX)')])
})

test.each(['qwen', 'gemini'])('%s: variables for the shell of the hook line in a file that the agent loads', async agent => {
  await up()
  await belay('install', agent)
  const file = join(project, '.env')
  writeFileSync(file, 'ENV=production\nPATH=/x\nDEBUG=1\n# LD_PRELOAD=x\n')
  expect(await wrong(agent)).toEqual([])
  writeFileSync(file, 'ENV=production\nLD_PRELOAD=./x.so\nexport BASH_ENV=./x\n')
  expect(await wrong(agent)).toEqual([expect.stringContaining(`${file} sets LD_PRELOAD, BASH_ENV for the shell`)])
})

describe('the client', () => {
  const client = join(home, 'bin', 'belay-hook')
  const damages: readonly (readonly [string, () => void])[] = [
    ['changed', () => writeFileSync(client, '#!/bin/sh\nexit 90\n', { mode: 0o755 })],
    ['gone', () => rmSync(client)],
    ['not executable', () => chmodSync(client, 0o644)],
    ['of another version', () => edit(`${client}.json`, value => Object.assign(value, { mark: 'of old' }))],
  ]
  test.each(damages)('%s', async (_title, damage) => {
    await up()
    await belay('install', 'claude-code')
    damage()
    expect(await wrong('claude-code')).toEqual(expect.arrayContaining([expect.stringContaining(client)]))
    // The remedy is one.
    await belay('install', '--renew')
    expect(await wrong('claude-code')).toEqual([])
  })
})

test('a shell with another PATH than the one at the installation is no fault', async () => {
  await up()
  await belay('install', 'claude-code')
  env.PATH = `/usr/local/bin:${env.PATH}`
  try {
    expect(await wrong('claude-code')).toEqual([])
  } finally {
    env.PATH = env.PATH.replace('/usr/local/bin:', '')
  }
})

describe('the database', () => {
  const file = join(home, 'belay.db')
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['overwritten at its head', bytes => Buffer.concat([Buffer.from('not a database at all'), bytes.subarray(21)])],
    ['overwritten in the middle', bytes => Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 0x5a)])],
    ['cut short', bytes => bytes.subarray(0, 20_000)],
    ['of another program', () => Buffer.from('')],
  ]
  test.each(damages)('%s', async (_title, damage) => {
    await up()
    await daemon?.stop()
    daemon = null
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    writeFileSync(file, damage(readFileSync(file)))
    await belay('install', 'claude-code')
    expect(await wrong('claude-code')).toEqual(expect.arrayContaining([expect.stringContaining(file)]))
  })
})

test('without an agent nothing is guarded, and the doctor says so', async () => {
  await up()
  await belay('genesis', 'init')
  const { code, out } = await belay('doctor')
  expect([code, out]).toEqual([1, expect.stringContaining('nothing is guarded yet: no agent on this machine calls Belay')])
})

test('what the doctor tried is no agent of the fleet, and is in the ledger', async () => {
  await up()
  await belay('install', 'claude-code')
  const { out } = await belay('doctor', 'claude-code', '--no-live')
  expect(out).toContain('reaches the daemon and is recorded')
  expect(JSON.parse((await belay('fleet', '--json')).out)).toEqual([])
  expect(JSON.parse((await belay('agent', 'list', '--json')).out)).toEqual([])
  expect((await belay('ledger', 'query')).out).toContain('belay doctor')
})

describe('a Claude Code that drops a file with an event that it does not know', () => {
  const bin = join(folder, 'bin')
  const settings = join(user, '.claude', 'settings.json')
  const eventsWritten = (): readonly string[] => Object.keys(JSON.parse(readFileSync(settings, 'utf8')).hooks)
  const withVersion = (version: string) => {
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 })
    env.PATH = `${bin}:/usr/bin:/bin`
  }
  afterEach(() => {
    env.PATH = '/usr/bin:/bin'
  })
  const events = findAgent('claude-code')?.strictBefore?.events ?? []

  test('is given those that every version knows, and that is said', async () => {
    await up()
    withVersion('2.1.96')
    const { out, err } = await belay('install', 'claude-code')
    expect([...eventsWritten()].sort()).toEqual([...events].sort())
    expect(out + err).toMatch(/warning: Claude Code before 2\.1\.101 drops a file with an event.*only 9 events are written/)
    expect(await wrong('claude-code')).toEqual([])
    const { out: status } = await belay('status', '--json')
    expect(JSON.parse(status).unguarded).toEqual([])
  })

  test('gets the others once it is updated', async () => {
    await up()
    withVersion('2.1.96')
    await belay('install', 'claude-code')
    withVersion('2.1.101')
    expect(await wrong('claude-code')).toEqual([expect.stringMatching(/lacks our hook for .*PermissionRequest/)])
    await belay('install', 'claude-code')
    expect(await wrong('claude-code')).toEqual([])
    expect(eventsWritten()).toContain('PreModelSwitch')
  })

  test('is found where it took the place of a later one', async () => {
    await up()
    withVersion('2.1.327')
    await belay('install', 'claude-code')
    withVersion('2.1.100')
    expect(await wrong('claude-code')).toEqual([
      expect.stringMatching(/^Claude Code 2\.1\.100 runs nothing of .*settings\.json: it does not know \w+, and drops the whole file$/),
    ])
    await belay('install', 'claude-code')
    expect(await wrong('claude-code')).toEqual([])
  })
})
