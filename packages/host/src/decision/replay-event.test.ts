// Calls that were judged while there was no daemon, as the client spools them, and a real daemon that finds them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { runHook } from '../shim/node-shim.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm *)"]
`

let daemon: TestDaemon

beforeEach(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterEach(() => daemon.stop())

interface Alone {
  readonly eventId?: string
  readonly agentId?: string
}

/** As the client does when nobody answers. */
async function alone(event: string, payload: Readonly<Record<string, unknown>>, { eventId, agentId = 'a1' }: Alone = {}): Promise<void> {
  const full = { session_id: 's1', cwd: daemon.project, hook_event_name: event, ...payload }
  await runHook(
    { agent: 'claude-code', event, direct: true, deadlineMs: null, eventId },
    {
      payload: JSON.stringify(full),
      cwd: daemon.project,
      env: { ...daemon.env, AGENT_ID: agentId },
      isTty: false,
      etc: join(daemon.home, 'etc'),
      startDaemon: () => undefined,
    },
  )
}

/** What a daemon that starts finds in the spool. */
async function recorded(count: number) {
  await daemon.restart()
  const found = async () => (await daemon.entries()).filter(({ read }) => read.daemon === 'down')
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count)
  return found()
}

async function readState() {
  const store = await openSqliteStore({ file: join(daemon.home, 'belay.db'), readOnly: true })
  const agents = await store.db.selectFrom('agents').select(['id', 'status', 'status_reason']).orderBy('id').execute()
  const sessions = await store.db.selectFrom('sessions').selectAll().orderBy('id').execute()
  const messages = await store.db.selectFrom('messages').select(['role', 'content']).orderBy('id').execute()
  await store.close()
  return { agents, sessions, messages }
}

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1' })

describe('one call is one record', () => {
  test('the daemon had recorded it and died before its answer arrived', async () => {
    await daemon.hook('PreToolUse', bash('rm x'), { 'event-id': 'e1', env: { AGENT_ID: 'a1' } })
    await alone('PreToolUse', bash('rm x'), { eventId: 'e1' })
    await alone('PreToolUse', bash('rm y'), { eventId: 'e2' })
    const [only, ...more] = await recorded(1)
    expect([only?.read.input, more]).toEqual([{ command: 'rm y' }, []])
    expect((await daemon.entries('pre_tool_use')).map(({ read }) => read.input)).toEqual([{ command: 'rm x' }, { command: 'rm y' }])
  })

  test('the agent was told something else than the daemon had recorded: both stand, and one names the other', async () => {
    await daemon.hook('PreToolUse', bash('ls'), { 'event-id': 'e1', env: { AGENT_ID: 'a1' } })
    await alone('PreToolUse', bash('rm x'), { eventId: 'e1' })
    const [told] = await recorded(1)
    const [first] = await daemon.entries('pre_tool_use')
    expect(told?.read).toMatchObject({ verdict: 'deny', alsoRecordedAs: first?.id })
  })
})

const SECRET = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`

describe('what the page shows follows', () => {
  test('replayed decisions are counted at once, and the last tool is known', async () => {
    await alone('PreToolUse', bash('rm x'))
    await recorded(1)
    expect(await daemon.rpc('fleet.list')).toMatchObject({ result: [{ agent: 'a1', lastTool: 'Bash' }] })
    const reply = await daemon.rpc('page.overview', { minutes: 60 })
    const { minutes } = ('result' in reply ? reply.result : {}) as { minutes: readonly { readonly deny: number }[] }
    expect(minutes.reduce((sum, { deny }) => sum + deny, 0)).toBe(1)
  })

  test('a secret in an id is nowhere in the spool, and names the same agent as with a daemon', async () => {
    const env = { AGENT_ID: `w-${SECRET}`, AGENT_PARENT: SECRET }
    await daemon.hook('UserPromptSubmit', { session_id: SECRET, prompt: 'go' }, { env })
    await alone('Stop', { session_id: SECRET }, { agentId: env.AGENT_ID, eventId: SECRET })
    const spool = join(daemon.home, 'spool')
    expect(readdirSync(spool).map(name => readFileSync(join(spool, name), 'utf8').includes(SECRET))).toEqual([false])
    await recorded(1)
    await daemon.restart()
    const { agents } = await readState()
    expect(agents).toMatchObject([{ id: expect.stringMatching(/^w-/), status: 'done' }])
    expect(agents[0]?.id).not.toContain(SECRET)
  })
})

describe('the state of the work follows', () => {
  test('a whole session without a daemon: its window, its failure, how it ended', async () => {
    await alone('SessionStart', { source: 'startup' })
    await alone('PreToolUse', bash('false'))
    await alone('PostToolUseFailure', { ...bash('false'), error: 'exit 1' })
    await alone('SessionEnd', { reason: 'other' })
    await recorded(4)
    await daemon.restart()
    const { agents, sessions, messages } = await readState()
    expect(agents).toEqual([{ id: 'a1', status: 'done', status_reason: null }])
    expect(sessions).toMatchObject([{ agent_id: 'a1', host_session: 's1' }])
    expect(sessions[0]?.ended_at).not.toBeNull()
    expect(messages).toEqual([{ role: 'error', content: 'Bash failed: exit 1' }])
  })

  test('tool calls count for the heartbeat, and what waits for the model goes out with the next answer', async () => {
    writeFileSync(join(daemon.project, 'AGENTS.md'), 'RULES-OF-THE-HOUSE\n')
    await daemon.rpc('effort.start', { skill: 'IMPLEMENT', agentId: 'a1', cwd: daemon.project })
    await daemon.hook('PreToolUse', bash('ls'), { env: { AGENT_ID: 'a1' } })
    await alone('PreToolUse', bash('ls'))
    await alone('PostToolUse', { ...bash('ls'), tool_response: {} })
    await alone('PreToolUse', bash('pwd'))
    await recorded(3)
    const { stdout } = await daemon.hook('PostToolUse', { ...bash('ls'), tool_response: {} }, { env: { AGENT_ID: 'a1' } })
    expect(stdout).toContain('RULES-OF-THE-HOUSE')
    await daemon.restart()
    expect((await readState()).sessions).toMatchObject([{ heartbeat_counter: 3 }])
  })

  test('an event that comes behind newer ones does not say how the agent fares, but is counted', async () => {
    await alone('Notification', { message: 'look here', notification_type: 'idle_prompt' })
    await alone('SessionStart', { source: 'startup' })
    await daemon.hook('UserPromptSubmit', { prompt: 'go on' }, { env: { AGENT_ID: 'a1' } })
    await recorded(2)
    await daemon.restart()
    const { agents, sessions } = await readState()
    expect(agents).toEqual([{ id: 'a1', status: 'working', status_reason: null }])
    expect(sessions).toHaveLength(1)
  })
})
