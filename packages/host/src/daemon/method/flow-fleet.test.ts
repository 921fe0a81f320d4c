// The flow `fleet notification` of the daemon's design, with a real daemon.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'
import type { Answer } from './fixtures/state-daemon.ts'

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
  expect(await flow.rpc('agent.check', { id: 'fleet' })).toEqual({ id: 'fleet', status: 'checked' })
  await agent.hook('stop', {})
  expect(await status('fleet')).toBe('done')
})

test('coordinators are told when those they manage are done', async () => {
  const boss = flow.as('boss')
  await boss.hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify({ AGENT_MANAGES: 'worker-1, mate' }) })
  expect(await flow.as('worker-1').hook('stop', {})).toMatchObject({ signalled: ['boss'] })
  expect(await flow.as('lead').hook('teammateIdle', { teammate_name: 'mate' })).toMatchObject({ signalled: ['boss', 'lead'] })
  const told = await boss.hook('postToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: '' })
  expect(told.pendingInjections.map((each: Answer) => each.text)).toEqual(['worker-1 is done.', 'mate is idle.'])
})
