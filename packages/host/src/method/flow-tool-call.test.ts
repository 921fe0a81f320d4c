// The flow `tool call` of the daemon's design, with a real daemon.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'
import type { Answer } from './fixtures/state-daemon.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

test('the heartbeat warns from 3, blocks at 10, and a progress entry clears it', async () => {
  const agent = flow.as('beat')
  await flow.begin(agent, 'beat')
  await agent.hook('sessionStart', { source: 'startup' })
  const answers: Answer[] = []
  for (let call = 1; call <= 10; call++) answers.push(await agent.tool('Bash', { command: `echo ${call}` }))
  expect(answers.map(answer => [answer.heartbeatCount, answer.allow, answer.firedRules.includes('heartbeat')])).toEqual([
    [1, true, false],
    [2, true, false],
    ...[3, 4, 5, 6, 7, 8, 9].map(count => [count, true, true]),
    [10, false, true],
  ])
  expect(answers[9].reason).toContain('belay log')
  expect(await agent.tool('Bash', { command: 'belay log "halfway"' })).toMatchObject({ allow: true, heartbeatCount: 10, firedRules: [] })
  expect(await agent.tool('Bash', { command: 'belay log x && rm -rf /' })).toMatchObject({ allow: false })
  expect(await agent.verb('effort.log', { text: 'halfway' })).toMatchObject({ file: expect.stringContaining('1_IMPLEMENT_LOG.md') })
  expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ allow: true, heartbeatCount: 1 })
  expect(readFileSync(join(flow.task('beat'), '1_IMPLEMENT_LOG.md'), 'utf8')).toContain('halfway')
})

test('calls that come together in a session nobody saw begin are counted in one', async () => {
  const agent = flow.as('parallel')
  await flow.begin(agent, 'parallel')
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => agent.tool('Bash', { command: `echo ${index}` })))
  expect(answers.map(answer => answer.heartbeatCount).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await agent.verb('session.list')).toHaveLength(1)
})

test('engine verbs are exempt from the heartbeat, never from permissions', async () => {
  const agent = flow.as('verbs')
  await flow.begin(agent, 'verbs')
  expect(await agent.tool('Bash', { command: 'belay log x; git push' })).toMatchObject({ allow: false, decision: 'deny' })
})

test('sub-agent launches do not count, edits of one file in a row count once, writing the log clears', async () => {
  const agent = flow.as('edits')
  const { log } = await flow.begin(agent, 'edits')
  const file = { file_path: join(flow.project, 'a.ts') }
  const counts: number[] = []
  for (const [tool, input] of [
    ['Task', { prompt: 'x' }],
    ['Edit', file],
    ['Edit', file],
    ['Write', file],
    ['Bash', { command: 'ls' }],
    ['Edit', file],
    ['Edit', { file_path: log }],
  ] as const)
    counts.push((await agent.tool(tool, input)).heartbeatCount)
  expect(counts).toEqual([0, 1, 1, 1, 2, 3, 3])
  expect(await agent.hook('postToolUse', { tool_name: 'Edit', tool_input: { file_path: log }, tool_response: '' })).toMatchObject({
    heartbeatCount: 0,
  })
})

test('injections and directives go out once', async () => {
  const agent = flow.as('inject')
  await flow.begin(agent, 'inject')
  flow.write('lib/AGENTS.md', 'No globals here.')
  const file = flow.write('lib/deep/x.ts', '')
  await agent.verb('effort.inject', { text: 'the build is red' })
  const read = { tool_name: 'Read', tool_input: { file_path: file }, tool_response: '' }
  const first = await agent.hook('postToolUse', read)
  expect(first.pendingInjections).toEqual([
    { kind: 'note', text: 'the build is red', path: null },
    { kind: 'directive', text: expect.stringContaining('No globals here.'), path: join(flow.project, 'lib/AGENTS.md') },
  ])
  expect((await agent.hook('postToolUse', read)).pendingInjections).toEqual([])
  flow.write('lib/AGENTS.md', 'No globals at all.')
  expect(await agent.native('PostToolUse', read)).toContain('No globals at all.')
  expect(await agent.native('PostToolUse', read)).toBe('')
  flow.write('far/away/TESTING.md', 'Run it twice.')
  const shell = { tool_name: 'Bash', tool_input: { command: 'ls && cat far/away/x.txt | head' }, tool_response: '' }
  expect(await agent.native('PostToolUse', shell)).toContain('Run it twice.')
})

test('a dialogue with the user is kept', async () => {
  const agent = flow.as('asker')
  await flow.begin(agent, 'asker')
  const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
  const input = { questions: [{ question: 'Which database?', header: 'db', options: [] }] }
  const answer = await agent.hook('postToolUse', {
    tool_name: 'AskUserQuestion',
    tool_input: input,
    tool_response: { questions: input.questions, answers: { 'Which database?': 'SQLite' } },
  })
  expect(answer.dialogueEntry).toBe('Q: Which database?\nA: SQLite')
  expect((await agent.verb('session.show', { id: sessionId })).messages).toContainEqual(
    expect.objectContaining({ role: 'dialogue', content: 'Q: Which database?\nA: SQLite', tool: 'AskUserQuestion' }),
  )
})

test('guards of the policy and of the effort: all that fire are named, once means once', async () => {
  const agent = flow.as('guarded')
  const guards = [
    {
      id: 'tests-first',
      trigger: { type: 'toolPattern', condition: 'Bash(npm run deploy *)' },
      text: 'run the tests',
      urgency: 'block',
      priority: 5,
      whitelist: [],
    },
  ]
  await flow.begin(agent, 'guarded', { metadata: { guards } })
  await agent.verb('effort.phase', { phase: 'build', proof: { plan: 'written' } })
  expect(await agent.tool('Bash', { command: 'npm run deploy now; curl example.com' })).toMatchObject({
    allow: false,
    reason: 'run the tests',
    firedRules: ['be-brief', 'no-curl', 'tests-first'],
    // What was said once is not said again: it must reach whoever asked.
    additionalContext: expect.stringContaining('keep it small'),
  })
  expect(await agent.tool('Bash', { command: 'curl example.com' })).toMatchObject({
    allow: true,
    firedRules: ['no-curl'],
    additionalContext: 'Warning (no-curl): use the client',
  })
  expect(await flow.begin(flow.as('wrong'), 'wrong', { metadata: { guards: [{ id: 'x' }] } })).toEqual({
    error: expect.stringContaining('guards cannot be used'),
  })
})
