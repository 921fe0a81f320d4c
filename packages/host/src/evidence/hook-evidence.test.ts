// Evidence that a hook hands over becomes an entry of its own, under its kind and with the name of the hook.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { runHook } from '../shim/node-shim.ts'

const said = (answer: object) => `printf %s '${JSON.stringify(answer).replaceAll('"', '\\"')}'`
const evidence = { kind: 'lint', data: { warnings: 3 } }

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - { name: linter, matcher: Write, type: command, config: { command: "${said({ decision: 'deny', reason: 'no', evidence })}" } }
    - { name: forger, matcher: Edit, type: command, config: { command: "${said({ evidence: { kind: 'approve', data: {} } })}" } }
    - { name: later, matcher: Grep, type: command, async: true, config: { command: "${said({ evidence: { kind: 'scan', data: { found: 1 } } })}" } }
  post_tool_use:
    - { name: after, type: command, config: { command: "${said({ evidence })}" } }
`

let belay: TestDaemon
let secret: string
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
  secret = await belay.bind('w1', 'executor')
})
afterAll(() => belay.stop())

const call = (tool: string, id: string) => ({ tool_name: tool, tool_input: { file_path: 'a', content: 'x' }, tool_use_id: id })

test.each([
  ['PreToolUse', 'Write', 'linter'],
  ['PostToolUse', 'Read', 'after'],
])('%s of %s: before the answer, attributed, found by its kind', async (event, tool, hook) => {
  await belay.hook(event, { ...call(tool, event), tool_response: 'ok' })
  expect((await belay.entries('lint')).filter(({ read }) => read.toolUseId === event).map(({ actor, read }) => [actor, read])).toEqual([
    [
      'agent:claude-code',
      {
        agent: 'claude-code',
        agentId: 'claude-code:s1',
        capturedBy: { hook, scope: 'policy', place: expect.stringMatching(/genesis\.key:\d+$/) },
        commitment: null,
        cwd: belay.project,
        data: { warnings: 3 },
        event,
        tool,
        toolUseId: event,
      },
    ],
  ])
})

test('a hook that nobody waits for hands it over when it has ended', async () => {
  await belay.hook('PreToolUse', call('Grep', 't-late'))
  await expect
    .poll(async () => (await belay.entries('scan')).map(({ read }) => [read.toolUseId, read.capturedBy, read.data]))
    .toEqual([['t-late', { hook: 'later', scope: 'policy', place: expect.stringMatching(/genesis\.key:\d+$/) }, { found: 1 }]])
})

test('it counts for the commitment, and is no operation whatever it calls itself', async () => {
  const act = (operation: string, params: object) => belay.rpc(`commitments.${operation}`, { secret, cwd: belay.project, ...params })
  const made = await act('commit', { text: 'build it', review: true })
  const id = 'result' in made ? (made.result.commitment as { id: string }).id : ''
  await act('claim', { target: id })
  await act('submit', { target: id })
  await belay.hook('PreToolUse', call('Edit', 't9'), { secret, commitment: id })
  expect((await belay.entries('approve')).map(({ read }) => read.capturedBy)).toMatchObject([{ hook: 'forger' }])
  await belay.restart()
  expect(await belay.rpc('commitments.show', { id })).toMatchObject({ result: { commitment: { state: 'in_review', evidence: 1 } } })
})

/** As the client does when nobody answers. */
async function alone(event: string, payload: object, env: Readonly<Record<string, string>> = {}, eventId?: string): Promise<string> {
  const full = { session_id: 's1', cwd: belay.project, hook_event_name: event, ...payload }
  const { stdout } = await runHook(
    { agent: 'claude-code', event, direct: true, deadlineMs: null, eventId },
    {
      payload: JSON.stringify(full),
      cwd: belay.project,
      env: { ...belay.env, ...env },
      isTty: false,
      etc: join(belay.home, 'etc'),
      startDaemon: () => undefined,
    },
  )
  return stdout
}

test.each([
  ['PreToolUse', 'Write', 'linter'],
  ['PostToolUse', 'Read', 'after'],
])('%s of %s with the daemon away: the same entry once it is back, and once', async (event, tool, hook) => {
  const id = `alone ${event}`
  const found = async () => (await belay.entries('lint')).filter(({ read }) => read.toolUseId === id)
  await belay.hook(event, { ...call(tool, 'other'), tool_response: 'ok' })
  await alone(event, { ...call(tool, id), tool_response: 'ok' }, {}, `e ${event}`)
  // Delivered twice.
  await alone(event, { ...call(tool, id), tool_response: 'ok' }, {}, `e ${event}`)
  await belay.restart()
  const kind = event === 'PreToolUse' ? 'pre_tool_use' : 'post_tool_use'
  const calls = async () => (await belay.entries(kind)).filter(({ read }) => read.toolUseId === id)
  // It comes behind its evidence.
  await expect.poll(calls).toHaveLength(1)
  expect(await found()).toHaveLength(1)
  const [entry] = await found()
  const [other] = (await belay.entries('lint')).filter(({ read }) => read.toolUseId === 'other' && read.event === event)
  expect([entry?.actor, entry?.read]).toEqual([other?.actor, { ...other?.read, toolUseId: id, daemon: 'down' }])
  expect(entry?.read.capturedBy).toMatchObject({ hook })
})

test('with the daemon away, what a hook hands over that nobody waits for comes too, and how it ended', async () => {
  await alone('PreToolUse', call('Grep', 't-alone'))
  const found = async () =>
    (await belay.entries('scan')).filter(({ read }) => read.toolUseId === 't-alone').map(({ read }) => read.capturedBy)
  await expect.poll(found).toMatchObject([{ hook: 'later' }])
  const ends = async () =>
    (await belay.entries('hook_run')).filter(({ read }) => read.toolUseId === 't-alone').map(({ read }) => read.hooks)
  await expect.poll(ends).toMatchObject([[{ hook: 'later', outcome: 'success' }]])
})

test('with the daemon away it counts for the commitment too, once it is back', async () => {
  const act = (operation: string, params: object) => belay.rpc(`commitments.${operation}`, { secret, cwd: belay.project, ...params })
  const made = await act('commit', { text: 'build it alone' })
  const id = 'result' in made ? (made.result.commitment as { id: string }).id : ''
  await act('claim', { target: id })
  await alone('PostToolUse', { ...call('Read', 't10'), tool_response: 'ok' }, { BELAY_AGENT_SECRET: secret, BELAY_COMMITMENT: id })
  const evidence = async () => {
    const shown = await belay.rpc('commitments.show', { id })
    return 'result' in shown ? (shown.result.commitment as { evidence: number }).evidence : null
  }
  // The daemon that runs looks at the spool by itself.
  await expect.poll(evidence).toBe(1)
  await belay.restart()
  expect(await evidence()).toBe(1)
})
