// With the daemon away nothing is known less: the same calls to a real daemon and to the client alone, and what becomes of them when the files
// that tell the client are removed, changed or old.
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mirrorFolder } from '../config/mirror-file.ts'
import { type HookReply, runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { readSpool } from '../decision/spool.ts'
import { readWork } from '../state/row-mirror.ts'
import { AWAY_POLICY, type AwayCall, knownCases, makeKnown, makePlaces, type Place, type Secrets } from './fixtures/away.ts'
import { runHook } from './node-shim.ts'

let daemon: TestDaemon
let place: Place
let secrets: Secrets

beforeAll(async () => {
  daemon = await runDaemon({ policy: AWAY_POLICY })
  place = makePlaces(daemon.folder, daemon.project)
  secrets = await makeKnown({ bind: daemon.bind, rpc: done, call: up }, place)
})
afterAll(() => daemon.stop())

async function done(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const reply = await daemon.rpc(method, params)
  if ('error' in reply) throw new Error(`${method}: ${reply.error.message}`)
  return reply.result
}

const payloadOf = ({ command, session, cwd = place.project, fields = {} }: AwayCall) => ({
  session_id: session,
  cwd,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 't',
  ...fields,
})

function up(call: AwayCall): Promise<HookReply> {
  const { BELAY_AGENT_SECRET: secret, ...env } = call.env ?? {}
  return daemon.hook('PreToolUse', payloadOf(call), { env, attended: true, ...(secret === undefined ? {} : { secret }) })
}

interface Said {
  readonly decision: string | undefined
  readonly reason: string
}

async function alone(call: AwayCall, event = 'PreToolUse'): Promise<Said> {
  const { stdout } = await runHook(
    { agent: 'claude-code', event, direct: true, deadlineMs: null },
    {
      payload: JSON.stringify(payloadOf(call)),
      cwd: '/',
      env: { ...daemon.env, ...call.env },
      isTty: true,
      etc: join(daemon.home, 'etc'),
      startDaemon: () => undefined,
    },
  )
  const { permissionDecision, permissionDecisionReason } = (stdout === '' ? {} : JSON.parse(stdout)).hookSpecificOutput ?? {}
  return { decision: permissionDecision, reason: permissionDecisionReason ?? '' }
}

const said = ({ decision, reason }: HookReply): Said => ({ decision, reason: reason ?? '' })
/** Calls of a session that the client knows of. */
function countedOf(session: string): number | null {
  const known = readWork(daemon.home)
  if (known === null || typeof known === 'string') return null
  return known.sessions.find(each => each.hostSession === session)?.heartbeat ?? null
}

/** Nothing of a test is left for the next. */
const emptySpool = () => rmSync(join(daemon.home, 'spool'), { recursive: true, force: true })

describe('the same answer', () => {
  test('with the daemon and without it, before and after it was started anew', async () => {
    for (const { what, call, decision, reason } of knownCases(place, secrets)) {
      const withIt = said(await up(call))
      expect({ what, ...withIt }).toEqual({ what, decision, reason: expect.stringMatching(reason) })
      // A count that the call has changed is kept a moment after its answer.
      await expect.poll(async () => ({ what, decision: (await alone(call)).decision })).toEqual({ what, decision })
      emptySpool()
    }
    await daemon.restart()
    for (const { what, call, decision } of knownCases(place, secrets)) {
      expect({ what, decision: (await alone(call)).decision }).toEqual({ what, decision })
      emptySpool()
      expect({ what, decision: (await up(call)).decision }).toEqual({ what, decision })
    }
  })

  test('what is counted goes on: the heartbeat of calls alone, and of calls before them', async () => {
    await done('effort.start', { skill: 'X', agentId: 'counting', cwd: place.project, task: join(place.project, 'counting') })
    const call = { command: 'ls', session: 'counting', env: { AGENT_ID: 'counting' } }
    for (let count = 0; count < 6; count++) await up({ ...call, command: `ls ${count}` })
    await expect.poll(() => countedOf('counting')).toBe(6)
    const decisions: unknown[] = []
    for (let count = 6; count < 11; count++) decisions.push((await alone({ ...call, command: `ls ${count}` })).decision)
    expect(decisions).toEqual(['allow', 'allow', 'allow', 'deny', 'deny'])
    emptySpool()
    await done('effort.finish', { agentId: 'counting', cwd: place.project })
    expect((await alone({ ...call, session: 'counting' })).decision).toBe('allow')
    emptySpool()
  })

  test('what was taken away is gone at once', async () => {
    const secret = await daemon.bind('gone', 'reviewer')
    const call = { command: 'review x', session: 'gone', env: { BELAY_AGENT_SECRET: secret } }
    expect((await alone(call)).decision).toBe('allow')
    await done('agent.release', { secret })
    expect((await alone(call)).decision).toBe('ask')
    emptySpool()
  })

  test('a session that begins with the client alone stays where it began, with the daemon too', async () => {
    const call = { session: 'new', cwd: place.bare }
    expect((await alone({ session: 'new', command: 'never x' })).decision).toBe('deny')
    expect((await alone({ ...call, command: 'never x' })).decision).toBe('deny')
    expect((await up({ ...call, command: 'never x' })).decision).toBe('deny')
    await daemon.restart()
    expect((await up({ ...call, command: 'never x' })).decision).toBe('deny')
    expect((await alone({ ...call, command: 'never x' })).decision).toBe('deny')
    emptySpool()
  })
})

/** An agent without an effort, in a session that the daemon knows. */
const PLAIN = { session: 'root', env: { AGENT_ID: 'plain' } }

/** Everything that a mirror may have suffered. */
const DAMAGES: Readonly<Record<string, (file: string, old: string) => void>> = {
  'is removed': file => rmSync(file),
  'is empty': file => writeFileSync(file, ''),
  'is not JSON': file => writeFileSync(file, '{'),
  'has other content': file => writeFileSync(file, readFileSync(file, 'utf8').replace(/"value": \{/, '"value": {"more": 1,')),
  'has no seal': file => writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).value)),
  'is an earlier one, copied back': (file, old) => copyFileSync(old, file),
  'is an earlier one, moved back': (file, old) => renameSync(old, file),
  'is an earlier one, linked back': (file, old) => {
    rmSync(file)
    linkSync(old, file)
  },
}

describe.each(Object.entries(DAMAGES))('a file that tells the client %s', (_what, damage) => {
  test('the call is asked about, and it is said', async () => {
    const folder = mirrorFolder(daemon.home)
    const kept = join(daemon.folder, 'kept')
    mkdirSync(kept, { recursive: true })
    const call = { ...PLAIN, command: 'ls' }
    const files = readdirSync(folder).filter(name => /^(?:roles|work|claims)\.json$/.test(name))
    expect(files.sort()).toEqual(['claims.json', 'roles.json', 'work.json'])
    const shards = readdirSync(folder).filter(name => name.startsWith('sessions-'))
    expect(shards).toHaveLength(16)
    for (const name of [...files, ...shards]) copyFileSync(join(folder, name), join(kept, name))
    // What somebody kept is older than what the daemon wrote since; only a damage that puts it back needs that.
    if (damage.length > 1) {
      await sleep(2100)
      await daemon.restart()
    }
    expect((await alone(call)).decision).toBe('allow')
    for (const name of files) {
      damage(join(folder, name), join(kept, name))
      expect({ name, ...(await alone(call)) }).toEqual({ name, decision: 'ask', reason: expect.stringContaining('cannot be verified') })
      expect((await alone({ ...call, command: 'never x' })).decision).toBe('deny')
      const last = readSpool(join(daemon.home, 'spool'), 10).at(-1)
      expect(last?.draft.body).toMatchObject({ daemon: 'down', unknown: expect.stringContaining('mirror') })
      await daemon.restart()
      expect({ name, ...(await alone(call)) }).toMatchObject({ name, decision: 'allow' })
    }
    for (const name of shards) damage(join(folder, name), join(kept, name))
    expect(await alone(call)).toEqual({ decision: 'ask', reason: expect.stringContaining('cannot be verified') })
    await daemon.restart()
    expect((await up({ ...call, command: 'never x', cwd: place.bare })).decision).toBe('deny')
    rmSync(kept, { recursive: true, force: true })
  })
})

test('the key is replaced: nothing is known until the daemon writes anew', async () => {
  const key = join(daemon.home, 'keys', 'mirror.key')
  writeFileSync(key, `${'0'.repeat(64)}\n`)
  expect((await alone({ ...PLAIN, command: 'ls' })).decision).toBe('ask')
  await daemon.restart()
  expect((await alone({ ...PLAIN, command: 'ls' })).decision).toBe('allow')
})

test('a file of a session that somebody else wrote moves it nowhere', async () => {
  const begun = join(mirrorFolder(daemon.home), 'begun')
  for (const name of readdirSync(begun)) rmSync(join(begun, name))
  expect((await alone({ ...PLAIN, command: 'never x', session: 'forged' })).decision).toBe('deny')
  const [name = ''] = readdirSync(begun)
  writeFileSync(join(begun, name), JSON.stringify({ seal: '00', value: { format: 1, writtenAt: Date.now(), value: { root: place.bare } } }))
  expect((await alone({ ...PLAIN, command: 'ls', session: 'forged', cwd: place.bare })).decision).toBe('ask')
  emptySpool()
})
