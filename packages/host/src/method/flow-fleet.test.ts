// The flow `fleet notification` of the daemon's design, with a real daemon.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepFollowing } from '../wire/follow-events.ts'
import { type Flow, runFlow } from './fixtures/flow.ts'
import { type Answer, runStateDaemon } from './fixtures/state-daemon.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

const status = async (id: string) => (await flow.rpc('agent.show', { id })).status

test('status follows what happens, and a person’s look', async () => {
  const agent = flow.as('fleet')
  await agent.hook('sessionStart', { source: 'startup' })
  expect(await status('fleet')).toBe('done')
  await agent.hook('userPrompt', { prompt: 'go' })
  expect(await status('fleet')).toBe('working')
  await agent.hook('permissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
  expect(await status('fleet')).toBe('attention')
  await agent.hook('postToolUseFailure', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't', error: 'exit 1' })
  expect(await status('fleet')).toBe('error')
  const { lastEventAt, statusReason } = await flow.rpc('agent.show', { id: 'fleet' })
  expect(await flow.rpc('agent.check', { id: 'fleet' })).toEqual({ id: 'fleet', status: 'checked' })
  expect(await flow.rpc('agent.show', { id: 'fleet' })).toMatchObject({ status: 'checked', statusReason, lastEventAt })
  await agent.hook('userPrompt', { prompt: 'on' })
  expect(await flow.rpc('agent.check', { id: 'fleet' })).toEqual({ id: 'fleet', status: 'working' })
  expect(await flow.rpc('agent.check', { id: 'nobody' })).toEqual({ error: expect.stringContaining('there is no agent nobody') })
  await agent.hook('stop', {})
  expect(await status('fleet')).toBe('done')
})

test('an agent that starts is announced, also where its status is as before', async () => {
  const seen: Answer[] = []
  const ended = new AbortController()
  const heard = new Promise<void>(resolve => {
    const onOpen = () => void flow.as('newcomer').hook('sessionStart', { source: 'startup' })
    const onEvent = (event: Answer) => {
      seen.push(event.data)
      resolve()
    }
    void keepFollowing({ socket: flow.socket, types: ['agent.status'], signal: ended.signal, retryMs: 100, onOpen, onEvent })
  })
  await heard
  ended.abort()
  expect(seen).toEqual([{ agent: 'newcomer', status: 'done', reason: null }])
})

test('a tool call is a heartbeat, also without an effort, and the last tool outlives the daemon', async () => {
  const agent = flow.as('alive')
  const { sessionId: id } = await agent.hook('sessionStart', { source: 'startup' })
  const before = (await flow.rpc('session.show', { id })).lastHeartbeat
  await expect.poll(Date.now).toBeGreaterThan(Date.parse(before))
  await agent.tool('Glob', { pattern: '*' })
  expect((await flow.rpc('session.show', { id })).lastHeartbeat > before).toBe(true)
  await flow.restart()
  const alive = (await flow.rpc('fleet.list')).find((each: Answer) => each.agent === 'alive')
  expect(alive).toMatchObject({ lastTool: 'Glob', stale: false })
})

test('coordinators are told when those they manage are done', async () => {
  const boss = flow.as('boss')
  await boss.hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify({ AGENT_MANAGES: 'worker-1, mate' }) })
  expect(await flow.as('worker-1').hook('stop', {})).toMatchObject({ signalled: ['boss'] })
  expect(await flow.as('lead').hook('teammateIdle', { teammate_name: 'mate' })).toMatchObject({ signalled: ['boss', 'lead'] })
  const told = await boss.hook('postToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: '' })
  expect(told.pendingInjections.map((each: Answer) => each.text)).toEqual(['worker-1 is done.', 'mate is idle.'])
})

test('AGENT_CLAIMS says what work an agent takes, anywhere or in one place; whoever coordinates it reads that', async () => {
  const boss = flow.as('claims-boss')
  await boss.hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify({ AGENT_MANAGES: 'taker' }) })
  await flow.as('taker').hook('userPrompt', { prompt: 'go' }, { 'belay-env': JSON.stringify({ AGENT_CLAIMS: 'tests, docs@packages/web' }) })
  await flow.as('lead').hook('teammateIdle', { teammate_name: 'taker', team_name: 'crew' })
  expect(await flow.rpc('agent.show', { id: 'taker' })).toMatchObject({
    label: 'taker of crew',
    claims: ['tests'],
    targetedClaims: ['docs@packages/web'],
    parent: 'lead',
  })
  const told = await boss.hook('postToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: '' })
  expect(told.pendingInjections.map((each: Answer) => each.text)).toEqual(['taker is idle; it takes tests, docs in packages/web.'])
  await flow.restart()
  expect(await flow.rpc('agent.show', { id: 'taker' })).toMatchObject({ claims: ['tests'], targetedClaims: ['docs@packages/web'] })
})

test('an agent without a name is called by what it is and where it works; a person may call it otherwise', async () => {
  const session = flow.as(null, 'nameless')
  const { agentId } = await session.hook('notification', { message: 'look' })
  expect(await flow.rpc('agent.show', { id: agentId })).toMatchObject({ label: 'claude-code in project' })
  expect(await flow.rpc('agent.bind', { id: agentId, role: 'executor', label: 'the left pane' })).toMatchObject({ label: 'the left pane' })
  await session.hook('userPrompt', { prompt: 'go' })
  expect((await flow.rpc('fleet.list')).find((each: Answer) => each.agent === agentId)).toMatchObject({
    label: 'the left pane',
    role: 'executor',
  })
  expect(await flow.rpc('agent.bind', { id: agentId, role: 'auditor' })).toMatchObject({ label: 'the left pane' })
})

test('completed tasks are kept with the effort; the one it stands for ends it', async () => {
  const agent = flow.as('tasker')
  const effort = await flow.begin(agent, 'tasks', { hostTask: '7', description: 'two tasks', keywords: ['a', 'b'] })
  expect(await agent.hook('taskCompleted', { task_id: '6', task_subject: 'first' })).toMatchObject({
    effortId: effort.id,
    finishedEffort: null,
  })
  expect(await agent.hook('taskCompleted', { task_id: '7', task_subject: 'last' })).toMatchObject({ finishedEffort: effort.id })
  const shown = await flow.rpc('effort.show', { id: effort.id })
  expect(shown).toMatchObject({ lifecycle: 'finished', skillVersion: '2' })
  expect(shown.metadata.completedTasks).toEqual([
    { id: '6', subject: 'first', by: 'tasker' },
    { id: '7', subject: 'last', by: 'tasker' },
  ])
  expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
  expect(await flow.rpc('task.show', { dir: flow.task('tasks'), cwd: flow.project })).toMatchObject({
    description: 'two tasks',
    keywords: ['a', 'b'],
    workspace: null,
    state: 'dormant',
  })
})

test('a task knows the part of the project it lies in', async () => {
  flow.write('packages/web/package.json', '{}')
  const dir = flow.task('../packages/web/tasks/menu')
  await flow.as('parts').verb('effort.start', { skill: 'implement', task: dir })
  expect(await flow.rpc('task.show', { dir, cwd: flow.project })).toMatchObject({ workspace: 'packages/web' })
})

test('an agent that waits for an approval wants attention, comes before the others and works again once it is decided', async () => {
  const asking = await runStateDaemon({
    policy: 'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      ask: ["Bash(npm publish *)"]\n',
  })
  try {
    await asking.as('idle').hook('notification', { message: 'look' })
    await asking.as('waits').tool('Bash', { command: 'npm publish' })
    await asking.as('busy').tool('Bash', { command: 'ls' })
    const fleet = await asking.rpc('fleet.list')
    expect(fleet.map((agent: Answer) => [agent.agent, agent.status, agent.reason, agent.approvals])).toEqual([
      ['waits', 'attention', 'waits for you', 1],
      ['idle', 'attention', 'look', 0],
      ['busy', 'working', null, 0],
    ])
    expect(await asking.rpc('agent.show', { id: 'waits' })).toMatchObject({ status: 'attention', statusReason: 'waits for you' })
    const { requests } = await asking.rpc('approvals.list')
    const { id } = requests[0]
    await asking.rpc('approvals.deny', { ids: [id], typed: id.slice(-4) })
    expect(await asking.rpc('agent.show', { id: 'waits' })).toMatchObject({ status: 'working', statusReason: null })
  } finally {
    await asking.stop()
  }
})

test('an agent without an id shows the task, effort and phase that it works on', async () => {
  const project = await runStateDaemon()
  try {
    project.write('.belay/skills/implement/SKILL.md', '---\nname: implement\nphases: [plan, build]\n---\n')
    await project.as(null).verb('effort.start', { skill: 'implement', task: 'tasks/one' })
    await project.as(null).tool('Bash', { command: 'ls' })
    const shown = { task: `${project.project}/tasks/one`, effortId: 1, skill: 'implement' }
    expect(await project.rpc('fleet.list')).toMatchObject([{ ...shown, phase: 'plan' }])
    await project.as(null).verb('effort.phase', { phase: 'build' })
    expect(await project.rpc('fleet.list')).toMatchObject([{ ...shown, phase: 'build' }])
    expect(await project.rpc('agent.list')).toMatchObject([{ ...shown, phase: 'build' }])
  } finally {
    await project.stop()
  }
})

test.each([
  ['gave up', { gaveUp: 'it ended 5 times' }, { status: 'error', statusReason: 'belay run gave up: it ended 5 times' }],
  ['has ended', {}, { status: 'done', statusReason: null }],
])('an agent whose supervisor %s does not work any more', async (name, ending, expected) => {
  const agent = flow.as(`run ${name}`)
  const run = { runId: `id ${name}`, agentId: `run ${name}` }
  await flow.rpc('run.register', run)
  const { sessionId: id } = await agent.hook('sessionStart', { source: 'startup' })
  await agent.tool('Bash', { command: 'ls' })
  await flow.rpc('run.end', { ...run, ...ending })
  expect(await flow.rpc('agent.show', { id: `run ${name}` })).toMatchObject(expected)
  expect(await flow.rpc('session.show', { id })).toMatchObject({ endedAt: expect.any(String) })
})
