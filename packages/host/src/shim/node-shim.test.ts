import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaySpool, type SpooledEvent } from '../decision/spool.ts'
import { runPaths } from '../wire/run-paths.ts'
import { runHook } from './node-shim.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-node-shim-'))
const project = join(folder, 'project')
const home = join(folder, 'home')
const spool = join(home, 'spool')
let server: Server | null = null
let started = 0

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Write"
      type: evidence_capture
      config: { ledger: true, kind: file_change }
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm -rf *)"]
`

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(project, '.belay'), { recursive: true })
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
  started = 0
})
afterEach(() => {
  server?.close()
  server = null
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const policy = (text: string) => writeFileSync(join(project, '.belay', 'genesis.key'), text)

function hook(event: string, payload: unknown, more: { agent?: string; direct?: boolean; deadlineMs?: number } = {}) {
  return runHook(
    { agent: more.agent ?? 'claude-code', event, direct: more.direct ?? false, deadlineMs: more.deadlineMs ?? null },
    {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      cwd: project,
      env: { BELAY_HOME: home, HOME: folder, PATH: process.env.PATH },
      isTty: false,
      etc: join(folder, 'etc'),
      startDaemon: () => {
        started++
      },
    },
  )
}

const bash = (command: string) => ({ session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' })

async function daemonThatSays(text: string | null): Promise<void> {
  const made = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => {
      if (text !== null) socket.end(text)
    })
  })
  server = made
  await new Promise<void>(resolve => made.listen(runPaths(home, {}).shimSocket, resolve))
}

test('the answer of the daemon is passed on', async () => {
  await daemonThatSays('{"exit":2,"stdout":"","stderr":"no\\n"}\n')
  expect(await hook('PreToolUse', bash('ls'))).toEqual({ stdout: '', stderr: 'no\n', exitCode: 2 })
  expect(started).toBe(0)
})

describe('without a daemon', () => {
  test('the static policy is judged, the daemon started, the event spooled', async () => {
    policy(POLICY)
    const { stdout, exitCode } = await hook('PreToolUse', bash('cd /tmp && rm -rf x'))
    expect([exitCode, JSON.parse(stdout).hookSpecificOutput.permissionDecision, started]).toEqual([0, 'deny', 1])
    const events: SpooledEvent[] = []
    expect(
      await replaySpool(
        spool,
        async event => void events.push(event),
        () => undefined,
      ),
    ).toBe(1)
    expect(events[0]?.draft).toMatchObject({
      kind: 'pre_tool_use',
      actor: 'agent:claude-code',
      session: 's',
      body: { verdict: 'deny', daemon: 'down', tool: 'Bash' },
    })
    expect(readdirSync(spool)).toEqual([])
  })

  test('secrets do not reach the spool', async () => {
    policy(POLICY)
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    await hook('PreToolUse', bash(`curl -H "Authorization: Bearer ${secret}" https://example.com`))
    const events: SpooledEvent[] = []
    await replaySpool(
      spool,
      async event => void events.push(event),
      () => undefined,
    )
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test('what is fine goes on', async () => {
    policy(POLICY)
    expect(await hook('PreToolUse', bash('ls'))).toMatchObject({ stdout: '', exitCode: 0 })
  })

  test('evidence that the policy requires and nobody can take closes the gate', async () => {
    policy(POLICY)
    const { stdout } = await hook('PreToolUse', { ...bash(''), tool_name: 'Write', tool_input: { file_path: 'a', content: 'x' } })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  })

  test('a policy that is broken and never was good denies the tool and lets the agent stop', async () => {
    policy('version: "2.0"\npermissions: [')
    expect(JSON.parse((await hook('PreToolUse', bash('ls'))).stdout).hookSpecificOutput.permissionDecisionReason).toContain('genesis.key')
    expect(await hook('Stop', { session_id: 's', cwd: project, stop_hook_active: false })).toMatchObject({ stdout: '', exitCode: 0 })
  })

  test('a session that begins says that it is not wholly guarded', async () => {
    const { stdout } = await hook('SessionStart', { session_id: 's', cwd: project, source: 'startup' })
    expect(JSON.parse(stdout).systemMessage).toContain('the daemon is not running')
  })

  test.each([
    ['hangs', null],
    ['is busy', '{"busy":"later"}\n'],
    ['answers garbage', 'hello\n'],
    // The system keeps the last eight bits of an exit code: this would be 0.
    ['answers an exit code that is none', '{"exit":256,"stdout":"","stderr":""}\n'],
    ['answers with a doubled key', '{"exit":2,"stdout":"","stderr":"","exit":0}\n'],
    ['answers more than an answer', '{"exit":0,"stdout":"","stderr":"","busy":"overloaded"}\n'],
  ])('and when the daemon %s, the same', async (_title, text) => {
    policy(POLICY)
    await daemonThatSays(text)
    const { stdout } = await hook('PreToolUse', bash('rm -rf x'), { deadlineMs: 150 })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  })
})

describe('nothing that breaks lets a tool run', () => {
  test.each([
    ['garbage', 'not json'],
    ['an empty payload', ''],
    ['no tool', '{"session_id":"s"}'],
    ['a doubled key', '{"session_id":"s","tool_name":"Bash","tool_name":"Read","tool_input":{}}'],
    ['a doubled key over lines', `{"${'\u0001\u0002'.repeat(500)}":1,"${'\u0001\u0002'.repeat(500)}":2}`],
  ])('%s', async (_title, payload) => {
    policy(POLICY)
    const { exitCode, stdout, stderr } = await hook('PreToolUse', payload)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^Tool denied: .*; a person can run `(?:belay|\S+\/belay\.cjs) doctor claude-code`\n$/)
  })

  test('a payload that is none, where there is no policy, decides nothing', async () => {
    const bad = JSON.stringify({ ...bash('ls'), tool_input: 'ls' })
    expect(await hook('PreToolUse', bad)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
    policy(POLICY)
    expect(await hook('PreToolUse', bad)).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('an unknown agent', async () => {
    expect(await hook('PreToolUse', bash('ls'), { agent: 'nobody' })).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('a home that cannot be written', async () => {
    policy(POLICY)
    writeFileSync(join(home, 'spool'), 'a file where a folder should be')
    expect(await hook('PreToolUse', bash('ls'))).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Belay failed') })
    expect(await hook('PostToolUse', { ...bash('ls'), tool_response: {} })).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

test('a spooled event that cannot be read is set aside and named', async () => {
  mkdirSync(spool, { recursive: true })
  writeFileSync(join(spool, '000000000000001-00000000-0000-0000-0000-000000000000.json'), '{half')
  const broken: string[] = []
  expect(
    await replaySpool(
      spool,
      async () => undefined,
      file => void broken.push(file),
    ),
  ).toBe(0)
  expect([broken.length, readdirSync(spool)]).toEqual([1, [expect.stringMatching(/\.broken$/)]])
})
