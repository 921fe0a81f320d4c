// Names and texts that carry a secret: every verb finds the row that the hooks made, and the secret is on no disk.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'

const SECRET = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`
const ID = `worker-${SECRET}`

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

test('an agent, a session and a sub-agent whose ids hold a secret are one and the same to every verb', async () => {
  const agent = flow.as(ID, `host-${SECRET}`)
  const effort = await flow.begin(agent, 'secret')
  const env = { AGENT_PARENT: SECRET, AGENT_CLAIMS: `docs,${SECRET},review@${SECRET}` }
  const started = await agent.hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify(env) })
  expect(started).toMatchObject({ found: true, effortId: effort.id })
  await agent.hook('subagentStart', { agent_id: `sub-${SECRET}`, agent_type: 'x' })
  expect(await agent.hook('subagentStop', { agent_id: `sub-${SECRET}`, agent_type: 'x' })).toMatchObject({ ended: true })
  const line = await flow.rpc('fleet.line', { sessionId: `host-${SECRET}`, agentId: ID, cwd: flow.project, usage: 0.5 })
  expect(line).toMatchObject({ effort: { id: effort.id }, heartbeat: { count: 0 } })
  expect(await agent.verb('session.show')).toMatchObject({ id: started.sessionId, contextUsage: 0.5 })
  expect(await flow.rpc('agent.bind', { id: ID, role: 'executor' })).toMatchObject({ role: 'executor' })
  expect(await flow.rpc('agent.show', { id: ID })).toMatchObject({ role: 'executor', effortId: effort.id })
  expect(await flow.rpc('agent.check', { id: ID })).toMatchObject({ status: 'working' })
  expect(await flow.rpc('fleet.list')).toHaveLength(1)
})

test('nor is one in a log, a proof, a hand-over or a note on disk', async () => {
  const agent = flow.as(ID, `host-${SECRET}`)
  const { file } = await agent.verb('effort.log', { text: `used ${SECRET}` })
  await agent.verb('effort.phase', { phase: 'build', proof: { token: SECRET, [SECRET]: ['x', SECRET] } })
  await agent.verb('session.dehydrate', { payload: { summary: SECRET, password: 'hunter2-of-mine' } })
  await agent.verb('effort.inject', { text: `use ${SECRET}` })
  await flow.restart()
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET)
  const stored = readdirSync(flow.home).flatMap(name => (name.startsWith('belay.db') ? [readFileSync(join(flow.home, name))] : []))
  for (const text of [SECRET, 'hunter2-of-mine']) expect(stored.map(bytes => bytes.includes(text))).not.toContain(true)
})

test.each([0, -5, 0.5, 1e30, '7'])('a limit of %s is refused with what it may be', async limit => {
  for (const method of ['effort.list', 'session.list'])
    expect(await flow.rpc(method, { limit, all: true })).toEqual({ error: expect.stringMatching(/^limit must be a/) })
})
