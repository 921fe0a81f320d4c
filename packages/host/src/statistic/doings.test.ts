import { canonicalJson } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createDoingTally } from './doing-tally.ts'
import { createDoings, type Doing, type EarlierEntry } from './doings.ts'

const NOW = Date.parse('2026-03-01T10:00:00.000Z')
const CALL = {
  agent: 'claude-code',
  agentId: 'w1',
  answer: { stdout: '{"tool":"No"}' },
  input: { tool: 'No', agentId: 'no' },
  tool: 'Read',
  toolUseId: 't',
  verdict: 'none',
}
const UNKNOWN: Doing = { tool: null, text: null, runsSince: null, asked: null, said: null }
const AT_WORK = { runsSince: new Date(NOW).toISOString() }

type Body = Readonly<Record<string, unknown>>

async function open(earlier: readonly EarlierEntry[], since: readonly Body[] = []) {
  const counted = createDoingTally()
  for (const [index, body] of since.entries()) counted.add({ agent: 'claude-code', agentId: 'w1', ...body }, NOW + index * 1000)
  const doings = createDoings({ counted, redact: text => text.replace('secret', '***'), readBack: async () => earlier })
  await doings.ready()
  return doings
}

const call = (body: Body): EarlierEntry => ({ kind: 'pre_tool_use', body: canonicalJson({ ...CALL, ...body }) })
const prompt = (text: string): EarlierEntry => ({
  kind: 'user_prompt_submit',
  body: canonicalJson({ agentId: 'w1', fields: { prompt: text } }),
})
const stop = (text: string): EarlierEntry => ({
  kind: 'stop',
  body: canonicalJson({ agentId: 'w1', fields: { lastAssistantMessage: text } }),
})

test('of earlier calls the newest of each agent, whatever its input looks like', async () => {
  const doings = await open([call({ tool: 'Say "hi"' }), call({ agentId: 'w2', tool: 'Bash' }), call({})])
  expect([doings.get('w1').tool, doings.get('w2'), doings.get('w3')]).toEqual(['Say "hi"', { ...UNKNOWN, tool: 'Bash' }, UNKNOWN])
})

const earlier: readonly (readonly [title: string, newestFirst: readonly EarlierEntry[], expected: Partial<Doing>])[] = [
  ['a turn that ended', [stop('Done.'), call({}), prompt('Fix it.')], { tool: 'Read', asked: 'Fix it.', said: 'Done.' }],
  ['a turn that goes on', [call({}), prompt('And the port.'), stop('Done.'), prompt('Fix it.')], { asked: 'And the port.', said: null }],
  ['a turn without a call yet', [prompt('Fix it.'), stop('Done.')], { tool: null, asked: 'Fix it.', said: null }],
]

test.each(earlier)('read back: %s', async (_title, entries, expected) => {
  expect((await open(entries)).get('w1')).toMatchObject(expected)
})

const PROMPT = { event: 'UserPromptSubmit', fields: { prompt: 'Fix it.' } }
const BASH = { event: 'PreToolUse', verdict: 'allow', tool: 'Bash', toolUseId: 'b', input: { command: 'npm test' } }
const TASK = { event: 'PreToolUse', verdict: 'none', tool: 'Task', toolUseId: 't', input: { prompt: 'look' } }
const END = { event: 'PostToolUse', tool: 'Bash', toolUseId: 'b', input: { command: 'npm test' } }
const STOP = { event: 'Stop', verdict: 'none', fields: { lastAssistantMessage: 'The tests pass.' } }

const counted: readonly (readonly [title: string, since: readonly Body[], expected: Partial<Doing>])[] = [
  ['a call that runs', [BASH], { ...AT_WORK, tool: 'Bash', text: 'npm test' }],
  ['one that ended', [BASH, END], { tool: 'Bash', text: 'npm test', runsSince: null }],
  ['one that failed', [BASH, { ...END, event: 'PostToolUseFailure' }], { runsSince: null }],
  ['one inside another', [TASK, BASH, END], { ...AT_WORK, tool: 'Task', text: 'look' }],
  ['one that was denied', [{ ...BASH, verdict: 'deny' }], { tool: 'Bash', runsSince: null }],
  ['one that its user is asked about', [{ ...BASH, verdict: 'ask' }], { tool: 'Bash', runsSince: null }],
  [
    'one without an id',
    [
      { ...BASH, toolUseId: undefined },
      { ...END, toolUseId: undefined },
    ],
    { runsSince: null },
  ],
  ['one of an agent that does not say when calls end', [{ ...BASH, agent: 'git' }], { tool: 'Bash', runsSince: null }],
  ['a turn that ended, with a call that never did', [PROMPT, BASH, STOP], { asked: 'Fix it.', said: 'The tests pass.', runsSince: null }],
  [
    'one that was kept from stopping',
    [PROMPT, BASH, { ...STOP, verdict: 'deny' }],
    { ...AT_WORK, said: null, runsSince: expect.any(String) },
  ],
  ['the next turn', [STOP, PROMPT], { asked: 'Fix it.', said: null }],
  ['a call after the end', [STOP, BASH], { said: null }],
  ['a new session', [PROMPT, STOP, { event: 'SessionStart', fields: { source: 'clear' } }], { asked: null, said: null }],
  ['a session that was compacted', [PROMPT, { event: 'SessionStart', fields: { source: 'compact' } }], { asked: 'Fix it.' }],
  ['a prompt without words', [{ event: 'UserPromptSubmit', fields: {} }], { asked: null }],
]

test.each(counted)('since the start: %s', async (_title, since, expected) => {
  expect((await open([], since)).get('w1')).toMatchObject(expected)
})

test('what was counted stands before what was read, and leaves what it does not know', async () => {
  const before = [stop('Done.'), call({}), prompt('Fix it.')]
  expect((await open(before, [BASH])).get('w1')).toEqual({ ...AT_WORK, tool: 'Bash', text: 'npm test', asked: 'Fix it.', said: null })
  const only = { event: 'SessionEnd' }
  expect((await open(before, [only])).get('w1')).toMatchObject({ tool: 'Read', asked: 'Fix it.', said: 'Done.' })
})

test('secrets are out before a text is cut', async () => {
  const long = `${'x'.repeat(197)}secret`
  const doings = await open(
    [],
    [
      { ...BASH, tool: 'mcp__secret__x', input: { command: long } },
      { ...PROMPT, fields: { prompt: long } },
    ],
  )
  const shown = `${'x'.repeat(197)}***`
  expect(doings.get('w1')).toMatchObject({ tool: 'mcp__***__x', text: shown, asked: shown })
})

test('what is no call, prompt or end changes nothing', async () => {
  const odd = ['', '{}', '{"agentId":"w1"}', '{"agentId":"w1","tool":"\\'].map(body => ({ kind: 'pre_tool_use', body }))
  const words = [
    { kind: 'stop', body: '{"agentId":"w1"}' },
    { kind: 'user_prompt_submit', body: '{"fields":{"prompt":"x"}}' },
  ]
  expect((await open([...odd, ...words], [{ event: 'Notification' }, { event: 'Stop', agentId: 7 }])).get('w1')).toEqual(UNKNOWN)
})

test('what runs of all agents, the newest first, without secrets, and not what has ended', async () => {
  const doings = await open(
    [],
    [
      BASH,
      TASK,
      { ...BASH, toolUseId: 'c' },
      END,
      { ...BASH, agentId: 'w2', toolUseId: undefined, input: { command: `secret ${'x'.repeat(200)}` } },
      { ...BASH, agentId: 'w3' },
      { ...STOP, agentId: 'w3' },
    ],
  )
  expect(doings.running()).toEqual([
    { agentId: 'w1', callId: 'c', tool: 'Bash', text: '' },
    { agentId: 'w1', callId: 't', tool: 'Task', text: '' },
    { agentId: 'w2', callId: null, tool: 'Bash', text: `*** ${'x'.repeat(96)}` },
  ])
})
