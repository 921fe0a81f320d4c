// What must hold between agents and over restarts.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'
import { runStateDaemon } from './fixtures/state-daemon.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

test('two agents in one project do not mix', async () => {
  const [one, two] = [flow.as('one'), flow.as('two')]
  const first = await flow.begin(one, 'shared')
  const second = await flow.begin(two, 'shared')
  expect([first.ordinal, second.ordinal]).toEqual([1, 2])
  await one.tool('Bash', { command: 'ls' })
  await one.tool('Bash', { command: 'ls' })
  expect(await two.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
  expect(await flow.begin(one, 'other')).toEqual({ error: expect.stringContaining('one is already running implement') })
  await two.verb('effort.finish')
  expect(await two.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
  expect(await one.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 3 })
})

test('sub-agents have sessions of their own and share the effort', async () => {
  const agent = flow.as('parent')
  const effort = await flow.begin(agent, 'parent')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  await agent.tool('Bash', { command: 'ls' })
  const sub = { agent_id: 'sub-9', agent_type: 'general-purpose' }
  const started = await agent.hook('subagentStart', sub)
  expect(started).toMatchObject({
    effortId: effort.id,
    skill: 'implement',
    logFile: effort.log,
    logTemplate: '# Log of {{skill}} {{ordinal}}',
  })
  expect(started.sessionId).not.toBe(sessionId)
  expect(await agent.tool('Bash', { command: 'ls' }, sub)).toMatchObject({ heartbeatCount: 1 })
  const file = flow.write('sub.ts', '')
  await agent.hook('postToolUse', { ...sub, tool_name: 'Read', tool_input: { file_path: file }, tool_response: '' })
  expect(await agent.hook('subagentStop', sub)).toMatchObject({ ended: true, sessionId: started.sessionId })
  expect((await agent.verb('effort.show')).metadata.loadedFiles).toContain(file)
  expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 2 })
})

test('a sub-agent is told the template of the log, the directives of the skill and the metadata of the effort', async () => {
  flow.write('.claude/skills/styled/SKILL.md', '---\nname: styled\ntemplates:\n  log: "# Log"\ndirectives: [STYLE.md]\n---\n')
  const agent = flow.as('styled')
  await agent.verb('effort.start', { skill: 'styled', task: flow.task('styled'), metadata: { ticket: 7 } })
  await agent.hook('sessionStart', { source: 'startup' })
  expect(await agent.hook('subagentStart', { agent_id: 'sub-1', agent_type: 'x' })).toMatchObject({
    logTemplate: '# Log',
    directives: [join(flow.project, '.claude/skills/styled/STYLE.md')],
    metadata: { ticket: 7 },
  })
})

test('a window has the list of the files that were read in it', async () => {
  const agent = flow.as('reader')
  await flow.begin(agent, 'reader')
  const read = async (session: string, file: string) => {
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup', session_id: session })
    const call = { tool_name: 'Read', tool_input: { file_path: file }, tool_response: '', session_id: session }
    await agent.hook('postToolUse', call)
    return (await agent.verb('session.show', { id: sessionId })).loadedFiles
  }
  const [one, two] = [flow.write('one.ts', ''), flow.write('two.ts', '')]
  expect(await read('first', one)).toContain(one)
  const second = await read('second', two)
  expect([second.includes(one), second.includes(two)]).toEqual([false, true])
})

test('windows of sub-agents that nobody saw end are over with the window they were in', async () => {
  const agent = flow.as('orphans')
  const open = async () => (await agent.verb('session.list', { open: true })).map((each: { subagent: string | null }) => each.subagent)
  await agent.hook('sessionStart', { source: 'startup' })
  await agent.hook('subagentStart', { agent_id: 'one', agent_type: 'x' })
  await flow.restart()
  await agent.hook('subagentStart', { agent_id: 'two', agent_type: 'x' })
  expect(await open()).toEqual(['two', 'one', null])
  await agent.hook('sessionEnd', { reason: 'other' })
  expect(await open()).toEqual([])
})

test('a restart keeps everything', async () => {
  const agent = flow.as('keeper')
  const effort = await flow.begin(agent, 'keeper')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  for (const command of ['a', 'b', 'c', 'd']) await agent.tool('Bash', { command })
  await flow.rpc('agent.bind', { id: 'keeper', role: 'executor' })
  await flow.restart()
  expect(await agent.tool('Bash', { command: 'e' })).toMatchObject({ heartbeatCount: 5 })
  expect(await agent.hook('userPrompt', { prompt: 'go' })).toMatchObject({
    effortId: effort.id,
    sessionId,
    taskDir: flow.task('keeper'),
    skill: 'implement',
    heartbeat: 5,
  })
  expect(await flow.rpc('agent.show', { id: 'keeper' })).toMatchObject({ role: 'executor', effortId: effort.id, status: 'working' })
})

test('an agent that went elsewhere stays under the policy it began with, also after a restart', async () => {
  const agent = flow.as('mover')
  await agent.hook('sessionStart', { source: 'startup' })
  const elsewhere = { cwd: flow.folder }
  expect(await agent.tool('Bash', { command: 'git push' }, elsewhere)).toMatchObject({ decision: 'deny' })
  await flow.restart()
  expect(await agent.tool('Bash', { command: 'git push' }, elsewhere)).toMatchObject({ decision: 'deny' })
})

test('without an id the project’s latest effort stands in', async () => {
  const own = await runStateDaemon()
  try {
    const somebody = own.as(null)
    const effort = await somebody.verb('effort.start', { skill: 'brainstorm', task: join(own.project, 't') })
    expect(effort).toMatchObject({ agent: null, skill: 'brainstorm', phase: null })
    expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
    expect(await somebody.verb('effort.start', { skill: 'x' })).toEqual({ error: expect.stringContaining('already running brainstorm') })
    expect(await own.as('named').tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
    symlinkSync(own.project, join(own.folder, 'alias'))
    expect(await own.as(null, 'by alias').tool('Bash', { command: 'ls' }, { cwd: join(own.folder, 'alias') })).toMatchObject({
      heartbeatCount: 1,
    })
    await somebody.verb('effort.log', { text: 'thought' })
    await somebody.verb('session.dehydrate', { payload: { summary: 'an idea' } })
    expect(await own.as(null, 'next window').hook('sessionStart', { source: 'startup' })).toMatchObject({
      found: true,
      effortId: effort.id,
      dehydratedContext: { summary: 'an idea' },
    })
    expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
    expect(await somebody.verb('effort.finish')).toMatchObject({ lifecycle: 'finished' })
    expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
  } finally {
    await own.stop()
  }
})

test('phases need their order and keep their proof', async () => {
  const agent = flow.as('phases')
  await flow.begin(agent, 'phases', { mode: 'careful' })
  expect(await agent.verb('effort.phase', { phase: 'verify' })).toEqual({ error: expect.stringContaining('skips build') })
  expect(await agent.verb('effort.phase', { phase: 'build', proof: { files: 2 } })).toMatchObject({ phase: 'build' })
  expect(await agent.verb('effort.show')).toMatchObject({
    mode: 'careful',
    phases: [
      { phase: 'plan', proof: null },
      { phase: 'build', proof: { files: 2 } },
    ],
  })
  expect(await flow.begin(flow.as('modes'), 'modes', { mode: 'odd' })).toEqual({
    error: expect.stringContaining('its modes are fast, careful'),
  })
  expect(await agent.verb('effort.finish')).toMatchObject({ lifecycle: 'finished', nextSkills: ['review'] })
})
