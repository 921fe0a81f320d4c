// The commands as a person uses them: in a home, a project and with a daemon of their own.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findAgent } from '@belay/core/adapter'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listTargets } from '../agent/agents.ts'
import { type Daemon, startDaemon } from '../daemon/start-daemon.ts'
import { runHook } from '../shim/node-shim.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { VERSION } from './help.ts'
import { runProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-agents-'))
const user = join(folder, 'user')
const project = join(folder, 'project')
const settings = join(user, '.claude', 'settings.json')
const env = { HOME: user, BELAY_HOME: join(folder, 'belay'), PATH: '/usr/bin:/bin', BELAY_NO_AUTOSTART: '1' }
let daemon: Daemon | null = null

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(user, '.claude'), { recursive: true })
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
}

interface Report {
  readonly ok: boolean
  readonly findings: readonly { readonly check: string; readonly state: string; readonly agent: string | null; readonly message: string }[]
}

async function doctor(...more: readonly string[]): Promise<Report> {
  return JSON.parse((await belay('doctor', 'claude-code', '--json', ...more)).out)
}

const stateOf = (report: Report, check: string) => report.findings.filter(finding => finding.check === check).map(({ state }) => state)

test('install shows what it would do, does it, and uninstall takes it back', async () => {
  expect((await belay('install', 'claude-code', '--dry-run')).out).toContain('+++')
  expect(existsSync(settings)).toBe(false)
  expect((await belay('install', 'claude-code')).code).toBe(0)
  expect(JSON.parse(readFileSync(settings, 'utf8')).hooks.PreToolUse[0].hooks[0].command).toContain(
    join(env.BELAY_HOME, 'bin', 'belay-hook'),
  )
  expect((await belay('install', 'claude-code')).out).toContain('already installed')
  expect((await belay('uninstall', 'claude-code')).code).toBe(0)
  expect(existsSync(settings)).toBe(false)
})

test('a file that the agent skips is installed into with a warning', async () => {
  writeFileSync(settings, '{\n  // mine\n}\n')
  expect((await belay('install', 'claude-code')).out).toContain('skips all of')
})

test.each([
  ['install', 'claud-code', 'claude-code'],
  ['install', 'mcp', 'mcp-proxy'],
  ['doctor', 'nobody', 'there is no agent `nobody`'],
])('%s %s is refused with a remedy', async (command, agent, remedy) => {
  const { code, err } = await belay(command, agent)
  expect([code, err.includes(remedy)]).toEqual([2, true])
})

describe('doctor', () => {
  const wiring = async (agent: string): Promise<readonly string[]> => {
    const { findings } = JSON.parse((await belay('doctor', agent, '--no-live', '--json')).out) as Report
    return findings.filter(({ check, state }) => check === 'wiring' && state === 'fail').map(({ message }) => message)
  }

  test('what was installed and is gone is wrong, also where no agent is named', async () => {
    await belay('install', 'claude-code')
    writeFileSync(settings, '{}')
    expect(await wiring('claude-code')).toEqual([`${settings} has no hook of ours`])
    expect(await belay('doctor', '--no-live')).toMatchObject({ code: 1, out: expect.stringContaining(`${settings} has no hook of ours`) })
    await belay('install', 'claude-code')
    expect(await wiring('claude-code')).toEqual([])
  })

  test('a file that is broken is named with its line, one that cannot be read with the reason', async () => {
    await belay('install', 'claude-code')
    writeFileSync(settings, '{\n  oops\n')
    expect(await wiring('claude-code')).toEqual([expect.stringContaining(`${settings}:2 is broken: `)])
    rmSync(settings)
    mkdirSync(settings)
    expect(await wiring('claude-code')).toEqual([expect.stringContaining(`${settings} cannot be read: `)])
  })

  test('a hook that may not be run is wrong, and installing again puts it right', async () => {
    await belay('install', 'git')
    const hook = join(project, '.git', 'hooks', 'pre-push')
    chmodSync(hook, 0o644)
    expect(await wiring('git')).toEqual([`${hook} may not be run: Git passes over it`])
    expect((await belay('install', 'git')).out).toContain(`changed ${hook}`)
    expect(await wiring('git')).toEqual([])
  })

  test('a broken config.toml is named with its place', async () => {
    mkdirSync(env.BELAY_HOME, { recursive: true })
    writeFileSync(join(env.BELAY_HOME, 'config.toml'), 'port = 4600\noops = 1\n')
    const { findings } = await doctor('--no-live')
    expect(findings.find(({ check }) => check === 'config')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('config.toml:2:'),
    })
  })

  test('the line in the configuration reaches the daemon', async () => {
    await up()
    await belay('install', 'claude-code')
    const report = await doctor()
    expect([report.ok, stateOf(report, 'live call'), stateOf(report, 'wiring')]).toEqual([true, ['ok'], ['ok']])
    // Only our canary has come so far.
    expect([stateOf(report, 'trust'), stateOf(await doctor(), 'trust')]).toEqual([['note'], ['note']])
  })

  test('without the daemon the ledger says whether the agent has called, and without a ledger nobody does', async () => {
    await belay('install', 'claude-code')
    const trustOf = async () => (await doctor('--no-live')).findings.find(({ check }) => check === 'trust')?.message
    expect(await trustOf()).toContain('is not known')
    await up()
    const call = { session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command: 'true' } }
    const io = { payload: JSON.stringify(call), cwd: project, env, isTty: false, etc: join(folder, 'etc'), startDaemon: () => undefined }
    expect((await runHook({ agent: 'claude-code', event: 'PreToolUse', direct: false, deadlineMs: null }, io)).exitCode).toBe(0)
    await daemon?.stop()
    daemon = null
    expect(await trustOf()).toContain('the agent itself has called, last at')
  })

  test('says which other hosts may run the lines', async () => {
    await belay('install', 'claude-code')
    const { findings } = await doctor('--no-live')
    expect(findings.find(({ check }) => check === 'hosts')?.message).toMatch(/Cursor, Grok Build, VS Code/)
  })

  test('every agent, each by its own words', async () => {
    await up()
    const agents = listTargets().map(({ agent }) => agent)
    for (const agent of agents) await belay('install', agent)
    const { findings } = JSON.parse((await belay('doctor', '--json')).out) as Report
    const reached = findings.filter(({ check, state }) => check === 'live call' && state === 'ok').map(({ agent }) => agent)
    expect(reached.sort()).toEqual([...agents].sort())
    const failed = findings.filter(({ state }) => state === 'fail').map(({ agent }) => agent)
    expect(failed).toEqual(agents.filter(id => findAgent(id)?.runsNoHooks != null))
  })

  test('without a daemon it says so', async () => {
    await belay('install', 'claude-code')
    const report = await doctor()
    expect([report.ok, stateOf(report, 'daemon'), stateOf(report, 'live call')]).toEqual([false, ['fail'], ['fail']])
  })

  const damages: readonly (readonly [string, () => void])[] = [
    ['not installed', () => undefined],
    ['no hook of ours', () => writeFileSync(settings, '{}')],
    ['lacks our hook', () => editSettings(({ hooks: { Stop: _, ...hooks } }) => ({ hooks }))],
    ['switches our hooks off', () => editSettings(value => ({ ...value, disableAllHooks: true }))],
    ['strict JSON', () => writeFileSync(settings, `// mine\n${readFileSync(settings, 'utf8')}`)],
  ]
  test.each(damages)('finds: %s', async (message, damage) => {
    await up()
    if (message !== 'not installed') await belay('install', 'claude-code')
    damage()
    const report = await doctor()
    expect([report.ok, report.findings.some(finding => finding.state === 'fail' && finding.message.includes(message))]).toEqual([
      false,
      true,
    ])
  })

  test('a line that leads nowhere is found by the live call', async () => {
    await up()
    await belay('install', 'claude-code')
    rmSync(join(env.BELAY_HOME, 'bin', 'belay-hook'))
    expect(stateOf(await doctor(), 'live call')).toEqual(['fail'])
  })

  describe('the agent itself', () => {
    const bin = join(folder, 'bin')
    const standIn = async (mode: string) => {
      await up()
      await belay('install', 'claude-code')
      mkdirSync(bin)
      const program = fileURLToPath(new URL('./fixtures/stand-in-agent.mjs', import.meta.url))
      writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
      Object.assign(env, { PATH: `${bin}:/usr/bin:/bin`, STAND_IN: mode })
    }
    afterEach(() => {
      env.PATH = '/usr/bin:/bin'
    })
    const trust = async (...args: readonly string[]) => (await doctor(...args)).findings.find(({ check }) => check === 'trust')

    test('asks before it runs a command', async () => {
      await standIn('asks')
      expect(await trust()).toMatchObject({ state: 'ok', message: expect.stringContaining('itself asked before it ran a command') })
    })

    test('runs a command without asking', async () => {
      await standIn('forgets')
      expect(await trust()).toMatchObject({ state: 'fail', message: expect.stringContaining('did not ask'), remedy: expect.any(String) })
    })

    test('cannot be started', async () => {
      await standIn('broken')
      expect(await trust()).toMatchObject({ state: 'note', message: expect.stringContaining('I do not start') })
    })

    test('is not started', async () => {
      await standIn('forgets')
      expect(await trust('--no-live')).toMatchObject({ state: 'note', message: 'the agent itself has not called yet' })
    })
  })

  test('calls in a transcript that nobody saw are named', async () => {
    await up()
    await belay('install', 'claude-code')
    const transcript = join(folder, 'session.jsonl')
    const use = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'toolu_unseen', name: 'Bash', input: {} }] } }
    writeFileSync(transcript, `${JSON.stringify(use)}\nnot json\n`)
    const unseen = (await doctor('--transcript', transcript)).findings.find(({ check }) => check === 'unseen calls')
    expect(unseen).toMatchObject({ state: 'warn', message: `1 of 1 calls of ${transcript} are not in the ledger: Bash (line 1)` })
    writeFileSync(transcript, '{"hello":1}\n')
    expect(stateOf(await doctor('--transcript', transcript), 'unseen calls')).toEqual(['note'])
    expect(await belay('doctor', '--transcript', join(folder, 'nowhere'))).toMatchObject({ code: 2 })
  })
})

test('import takes rules over into the policy of the project', async () => {
  mkdirSync(join(project, '.claude'))
  writeFileSync(join(project, '.claude', 'settings.json'), '{"permissions":{"deny":["Bash(curl:*)"]}}')
  expect((await belay('import', 'claude-code')).code).toBe(0)
  expect(readFileSync(join(project, '.belay', 'genesis.key'), 'utf8')).toContain('Bash(curl *)')
  expect(JSON.parse((await belay('import', 'claude-code', '--json')).out)).toMatchObject({ rules: 0, hooks: 0, trusted: true })
})

test.each([
  ['opencode', 'opencode.json', '{"permission":{"bash":{"git push *":"deny"}}}', 'Bash(git push *)'],
  [
    'codex',
    '.codex/config.toml',
    '[[hooks.PreToolUse]]\nmatcher = "Bash"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "./check.sh"\n',
    './check.sh',
  ],
  ['cursor', '.cursor/cli.json', '{"permissions":{"deny":["Shell(rm)"],"allow":[]}}', 'rm'],
])('import %s reads %s', async (agent, path, text, taken) => {
  expect(await belay('import', agent)).toMatchObject({
    code: 1,
    err: expect.stringContaining(path.replace(/[^/]+$/, '').replace(/agents\/$/, '')),
  })
  mkdirSync(join(project, path, '..'), { recursive: true })
  writeFileSync(join(project, path), text)
  expect(await belay('import', agent)).toMatchObject({ code: 0 })
  expect(readFileSync(join(project, '.belay', 'genesis.key'), 'utf8')).toContain(taken)
})

test.each([
  ['mcp-proxy', '--url', 'http://127.0.0.1:1/mcp', '--listen', '99999'],
  ['mcp', '--http', '--port', 'x'],
])('%s with a port that is none', async (...argv) => {
  expect(await belay(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(argv.at(-1) ?? '') })
})

test('import names a file that it cannot read', async () => {
  mkdirSync(join(project, '.claude'))
  writeFileSync(join(project, '.claude', 'settings.json'), '{"permissions":{"deny":["Bash(curl:*)"}')
  const { skipped } = JSON.parse((await belay('import', 'claude-code', '--json')).out)
  expect(skipped[0]).toMatchObject({ file: join(project, '.claude', 'settings.json'), line: 1, what: 'all of it' })
})

function editSettings(edit: (value: { readonly hooks: Readonly<Record<string, unknown>> }) => unknown): void {
  writeFileSync(settings, JSON.stringify(edit(JSON.parse(readFileSync(settings, 'utf8')))))
}
