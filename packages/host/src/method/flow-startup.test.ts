// The flow `startup` of the daemon's design, with a real daemon.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

test('an agent finds its effort, its files and what the last window left', async () => {
  const agent = flow.as('starter')
  const effort = await flow.begin(agent, 'start')
  expect(effort).toMatchObject({
    agent: 'starter',
    skill: 'implement',
    ordinal: 1,
    phase: 'plan',
    artifacts: [join(flow.task('start'), '1_IMPLEMENT_LOG.md'), join(flow.task('start'), '1_IMPLEMENT_PLAN.md')],
  })
  expect(readFileSync(effort.log, 'utf8')).toBe('# Log of implement 1\n')
  const first = await agent.hook('sessionStart', { source: 'startup' })
  const skills = join(flow.project, '.claude/skills/implement')
  expect(first).toMatchObject({
    found: true,
    effortId: effort.id,
    skill: 'implement',
    phase: 'plan',
    filesToPreload: [join(skills, 'SKILL.md'), join(skills, 'guide.md'), ...effort.artifacts],
    dehydratedContext: null,
    skillConfig: { phases: ['plan', 'build', 'verify'], modes: ['fast', 'careful'] },
  })
  const payload = { summary: 'half done', nextStep: 'the rest', own: { key: [1] } }
  expect(await agent.verb('session.dehydrate', { payload })).toMatchObject({ id: first.sessionId })
  const second = await agent.hook('sessionStart', { source: 'startup', session_id: 'another' })
  expect(second).toMatchObject({ found: true, dehydratedContext: payload })
  expect(second.sessionId).toBeGreaterThan(first.sessionId)
  expect(await agent.verb('session.show', { id: second.sessionId })).toMatchObject({ previous: first.sessionId, endedAt: null })
  expect(await agent.verb('session.show', { id: first.sessionId })).toMatchObject({ endedAt: expect.any(String), dehydration: payload })
})

test('natively the same goes to the model: files and the recovery block', async () => {
  const agent = flow.as('native')
  await flow.begin(agent, 'native')
  await agent.native('SessionStart', { source: 'startup' })
  await agent.verb('session.dehydrate', { payload: { summary: 'remember the milk' } })
  const text = await agent.native('SessionStart', { source: 'clear' })
  expect(text).toContain('<recovery>')
  expect(text).toContain('remember the milk')
  expect(text).toContain('Measure first.')
  expect(text.length).toBeLessThanOrEqual(10_000)
})

test('files beyond what the agent takes are named, to be read', async () => {
  const agent = flow.as('large')
  const { log } = await flow.begin(agent, 'large')
  writeFileSync(log, 'x'.repeat(20_000))
  const text = await agent.native('SessionStart', { source: 'startup' })
  expect(text).toContain(`Read before you go on:\n- ${log}`)
  expect((await agent.tool('Bash', { command: 'ls' })).pendingPreloads).toEqual([log])
  expect(await agent.tool('Read', { file_path: log })).toMatchObject({ heartbeatCount: 1 })
  await agent.hook('postToolUse', { tool_name: 'Read', tool_input: { file_path: log }, tool_response: '' })
  expect((await agent.tool('Bash', { command: 'ls' })).pendingPreloads).toEqual([])
})

test('a hand-over that is too long is cut, and says where all of it is', async () => {
  const agent = flow.as('wordy')
  await flow.begin(agent, 'wordy')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  await agent.verb('session.dehydrate', { payload: { summary: 'word '.repeat(5000) } })
  const text = await agent.native('SessionStart', { source: 'clear' })
  expect(text).toContain(`belay session show ${sessionId}]\n</recovery>`)
  expect(text.length).toBeLessThanOrEqual(10_000)
  expect(await agent.verb('session.dehydrate', { payload: { summary: 'x'.repeat(70_000) } })).toEqual({
    error: expect.stringContaining('at most 65536'),
  })
})

test('re-delivery of one event id makes no second session', async () => {
  const agent = flow.as('again')
  const once = await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })
  expect(await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })).toEqual(once)
  await flow.restart()
  expect(await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })).toEqual(once)
  const next = await agent.hook('sessionStart', { source: 'resume' }, { 'belay-event-id': 'e-2' })
  expect(next.sessionId).toBeGreaterThan(once.sessionId)
})
