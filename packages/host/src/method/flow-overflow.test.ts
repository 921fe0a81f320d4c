// The flow `overflow and kill` of the daemon's design, with a real daemon.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

const full = () => {
  const file = join(flow.folder, 'transcript.jsonl')
  const line = { type: 'assistant', message: { usage: { input_tokens: 1, cache_read_input_tokens: 899, output_tokens: 50 } } }
  writeFileSync(file, `${JSON.stringify(line)}\n`)
  return file
}

test('a full window warns, only handing over passes, compaction restarts under a supervisor', async () => {
  const agent = flow.as('full')
  const effort = await flow.begin(agent, 'full')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  await flow.rpc('run.register', { run_id: 'r1', agent_id: 'full' })
  const transcript = { transcript_path: full() }
  const blocked = await agent.tool('Bash', { command: 'ls' }, transcript)
  expect(blocked).toMatchObject({
    allow: false,
    contextUsage: 0.95,
    overflowWarning: true,
    firedRules: ['overflow', 'hand-over'],
    reason: 'hand over first',
  })
  expect(await agent.tool('Bash', { command: "belay dehydrate '{}'" }, transcript)).toMatchObject({ allow: true, overflowWarning: true })
  expect(await flow.rpc('run.next', { run_id: 'r1' })).toBeNull()
  const compact = await agent.hook('preCompact', { trigger: 'auto', custom_instructions: null })
  expect(compact).toMatchObject({
    ended: true,
    restart: true,
    runId: 'r1',
    sessionId,
    recoveryPrompt: expect.stringContaining(`effort ${effort.id}`),
  })
  expect(await flow.rpc('run.next', { run_id: 'r1' })).toEqual({
    action: 'restart',
    agentId: 'full',
    runId: 'r1',
    reason: 'the context window is full',
    prompt: compact.recoveryPrompt,
  })
  expect(await flow.rpc('run.next', { run_id: 'r1' })).toBeNull()
  const next = await agent.hook('sessionStart', { source: 'startup', session_id: 'after' })
  expect(next).toMatchObject({
    found: true,
    effortId: effort.id,
    dehydratedContext: { recovered: true, phases: [{ phase: 'plan' }], artifacts: effort.artifacts },
  })
  expect(await agent.verb('session.show', { id: next.sessionId })).toMatchObject({
    previous: sessionId,
    contextUsage: null,
    heartbeat: 0,
  })
})

test('session finish hands over and ends', async () => {
  const agent = flow.as('finisher')
  await flow.begin(agent, 'finisher')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  expect(await agent.verb('session.finish', { dehydrate: { summary: 'bye' } })).toEqual({ id: sessionId, ended: true, dehydrated: true })
  expect(await agent.verb('session.finish')).toEqual({ error: expect.stringContaining('has ended already') })
  expect(await agent.hook('sessionStart', { source: 'startup' })).toMatchObject({ dehydratedContext: { summary: 'bye' } })
})

test('what comes after session finish in the same window does not lose the hand-over', async () => {
  const agent = flow.as('straggler')
  await flow.begin(agent, 'straggler')
  await agent.hook('sessionStart', { source: 'startup' })
  await agent.tool('Bash', { command: 'belay session finish' })
  await agent.verb('session.finish', { dehydrate: { summary: 'half way' } })
  await agent.hook('postToolUse', { tool_name: 'Bash', tool_input: { command: 'belay session finish' }, tool_response: 'ok' })
  await agent.hook('stop', {})
  await agent.hook('sessionEnd', { reason: 'other' })
  expect(await agent.hook('sessionStart', { source: 'startup', session_id: 'next' })).toMatchObject({
    dehydratedContext: { summary: 'half way' },
  })
  await agent.verb('effort.log', { text: 'the other half' })
  const after = await agent.hook('sessionStart', { source: 'startup', session_id: 'after next' })
  expect(after).toMatchObject({ dehydratedContext: { recovered: true } })
})

test('every window is linked to the one before it, whatever effort either had', async () => {
  const agent = flow.as('linked')
  const first = await agent.hook('sessionStart', { source: 'startup' })
  await flow.begin(agent, 'linked')
  await agent.verb('effort.finish')
  const second = await agent.hook('sessionStart', { source: 'clear' })
  await agent.verb('session.finish', { dehydrate: { summary: 'of no effort' } })
  await flow.begin(agent, 'linked')
  const third = await agent.hook('sessionStart', { source: 'compact' })
  expect(third).toMatchObject({ found: true, dehydratedContext: null })
  const previous = async (id: number) => (await agent.verb('session.show', { id })).previous
  expect([await previous(second.sessionId), await previous(third.sessionId)]).toEqual([first.sessionId, second.sessionId])
})

test.each([
  ['a rate limit', "You've hit your limit · resets 3pm", { status: 'attention', rateLimited: true, resetsAt: '3pm', exhausted: false }],
  ['a rate limit with its moment', 'Claude AI usage limit reached|1760000000', { rateLimited: true, resetsAt: '2025-10-09T08:53:20.000Z' }],
  ['a prompt that is too long', 'Prompt is too long', { status: 'attention', rateLimited: false, exhausted: true }],
])('stop reads why: %s', async (name, text, expected) => {
  const agent = flow.as(`stop ${name}`)
  await flow.begin(agent, `stop-${name}`)
  await agent.hook('sessionStart', { source: 'startup' })
  const file = join(flow.folder, 'stopped.jsonl')
  writeFileSync(file, '')
  appendFileSync(
    file,
    `${JSON.stringify({ type: 'assistant', isApiErrorMessage: true, message: { content: [{ type: 'text', text }] } })}\n`,
  )
  expect(await agent.hook('stop', { stop_hook_active: false, transcript_path: file })).toMatchObject(expected)
})

test('a turn that the provider ended says why', async () => {
  const agent = flow.as('failed')
  await agent.native('StopFailure', { error: 'rate_limit', last_assistant_message: 'usage limit reached, resets at 5pm' })
  expect(await flow.rpc('agent.show', { id: 'failed' })).toMatchObject({ status: 'attention', statusReason: 'rate limit, resets 5pm' })
  await agent.native('StopFailure', { error: 'unknown', last_assistant_message: 'API Error: 400 bad thing' })
  expect(await flow.rpc('agent.show', { id: 'failed' })).toMatchObject({
    status: 'error',
    statusReason: 'API Error: 400 bad thing',
  })
})

test('what a model merely says about limits is not one', async () => {
  const file = join(flow.folder, 'talk.jsonl')
  writeFileSync(
    file,
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'the rate limit is 5' }], usage: {} } })}\n`,
  )
  expect(await flow.as('talker').hook('stop', { transcript_path: file })).toMatchObject({ status: 'done', rateLimited: false })
})
