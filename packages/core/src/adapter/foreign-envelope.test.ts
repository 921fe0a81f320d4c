// Hosts that nobody described, on the lines that other hosts are known to read: their calls are read where there is no doubt, refused where there
// is, and told so in a way that stops each kind of host.
import { describe, expect, test } from 'vitest'
import { findAgent } from '../agent/agents.ts'
import { parseEventPayload } from '../event/parse-payload.ts'
import { allow, ask, deny } from '../verdict/verdict.ts'
import type { DecodedEvent } from './decode.ts'
import { encodeAnswer } from './encode.ts'
import { decodeCall } from './recognize-host.ts'

type Input = Readonly<Record<string, unknown>>

const SNAKE = { session_id: 's', cwd: '/repo', hook_event_name: 'PreToolUse' }
const CAMEL = { sessionId: 's', cwd: '/repo' }
const json = JSON.stringify

/** Ways in which hosts name a call. */
const ENVELOPES: Readonly<Record<string, (name: string, input: Input) => Input>> = {
  'camelCase, without the event': (toolName, toolInput) => ({ ...CAMEL, toolName, toolInput }),
  'arguments as JSON': (toolName, input) => ({ ...CAMEL, timestamp: 1, toolName, toolArgs: json(input) }),
  "arguments as JSON in Claude Code's field": (tool_name, input) => ({ ...SNAKE, tool_name, tool_input: json(input) }),
  'arguments under other names': (tool_name, input) => ({ ...SNAKE, tool_name, arguments: input }),
  parameters: (tool_name, input) => ({ ...SNAKE, tool_name, params: input }),
  'a call in an object': (name, args) => ({ conversationId: 's', cwd: '/repo', toolCall: { name, args } }),
  'a call of the OpenAI kind': (name, input) => ({
    ...SNAKE,
    tool_call: { id: 'c', type: 'function', function: { name, arguments: json(input) } },
  }),
  'a call of the Gemini kind': (name, args) => ({ ...SNAKE, functionCall: { name, args } }),
  'keyword arguments': (tool_name, kwargs) => ({ ...SNAKE, tool_name, kwargs }),
  "Claude Code's fields, and the same again": (tool_name, tool_input) => ({ ...SNAKE, tool_name, tool_input, arguments: json(tool_input) }),
  'a list of one': (name, input) => ({ ...SNAKE, tool_calls: [{ id: 'c', function: { name, arguments: json(input) } }] }),
  'a tool with its input': (name, input) => ({ ...SNAKE, tool: { name, input } }),
  'a tool beside its input': (tool, input) => ({ ...SNAKE, tool, input }),
  'a name that is no event': (name, input) => ({ ...CAMEL, event: 'pre', name, arguments: input }),
  'both spellings, which agree': (name, input) => ({
    ...CAMEL,
    tool_name: name,
    toolName: name,
    toolInput: input,
    tool_input: { ...input },
  }),
  'no session': (tool_name, tool_input) => ({ cwd: '/repo', tool_name, tool_input }),
  'Claude Code, with a tool that it does not have': (_name, tool_input) => ({ ...SNAKE, tool_name: 'run_it', tool_input }),
}

function decode(payload: Input, line = 'claude-code', event = 'PreToolUse'): DecodedEvent {
  const agent = findAgent(line)
  if (agent === null) throw new Error(`no agent ${line}`)
  return decodeCall(agent, event, { payload, env: {}, ancestor: () => null })
}

describe.each(['claude-code', 'copilot', 'cursor'])('on the line of %s', line => {
  const event = line === 'cursor' ? 'preToolUse' : 'PreToolUse'
  test.each(Object.entries(ENVELOPES))('%s', (what, make) => {
    if (what.startsWith('Claude Code,') && line !== 'claude-code') return
    for (const [tool, input] of [
      ['run_it', { command: ['touch', 'x'] }],
      ['mcp__a__b', { path: '.env', name: 'note', arguments: {} }],
    ] as const) {
      const decoded = decode(make(tool, input), line, event)
      const parsed = parseEventPayload(decoded.event, decoded.payload)
      expect(parsed).toMatchObject({ ok: true, value: { cwd: '/repo', fields: { toolInput: input } } })
    }
  })
})

test.each(Object.entries(ENVELOPES))('%s: what is said stops every kind of host', (_what, make) => {
  const decoded = decode(make('run_it', { command: 'touch x' }))
  expect(decoded.isUnknownHost).toBe(true)
  const refused = encodeAnswer(decoded, { verdict: deny('no') }, { attended: true })
  expect([refused.exitCode, refused.stderr]).toEqual([2, 'Tool denied: no\n'])
  expect(JSON.parse(refused.stdout)).toMatchObject({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    permissionDecision: 'deny',
    permission: 'deny',
    decision: 'deny',
  })
})

describe('what may mean to go on as it was', () => {
  const decoded = decode({ ...CAMEL, toolName: 'run_it', toolArgs: '{}' })
  test('a question is a refusal that says how to approve', () => {
    const { exitCode, stderr, degraded } = encodeAnswer(decoded, { verdict: ask('sure?') }, { attended: true })
    expect([exitCode, stderr, degraded]).toEqual([
      2,
      'Tool denied: sure? (a person can approve it: belay approvals)\n',
      ['an unknown host on the line of Claude Code cannot ask its user: denied instead'],
    ])
  })
  test('a changed input is a refusal', () => {
    const { exitCode, stderr } = encodeAnswer(decoded, { verdict: allow(), rewrite: { input: { a: 1 } } }, { attended: true })
    expect([exitCode, stderr]).toEqual([
      2,
      'Tool denied: the policy rewrites this input, which an unknown host on the line of Claude Code cannot do\n',
    ])
  })
  test('an allow is said in three forms, and no exit code', () => {
    const { stdout, stderr, exitCode } = encodeAnswer(decoded, { verdict: allow() }, { attended: true })
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'allow' },
      permissionDecision: 'allow',
      permission: 'allow',
    })
    expect([stderr, exitCode]).toEqual(['', 0])
  })
})

const FREE = { command: 'ls' }
const DENIED = { command: 'touch x' }

/** Another reader than ours could see another call. */
test.each<[string, Input]>([
  ['two inputs', { ...SNAKE, tool_name: 'a', args: FREE, arguments: DENIED }],
  ['two names', { ...SNAKE, tool_name: 'a', toolName: 'b', toolInput: DENIED }],
  [
    'two calls',
    {
      ...SNAKE,
      tool_calls: [
        { name: 'a', arguments: FREE },
        { name: 'b', arguments: DENIED },
      ],
    },
  ],
  ['a call beside another', { ...SNAKE, tool_name: 'a', tool_args: FREE, toolCall: { name: 'b', args: DENIED } }],
  ['a call in two places', { ...SNAKE, tool: { name: 'a', input: FREE }, toolCall: { name: 'b', args: DENIED } }],
  ['a function beside its call', { ...SNAKE, toolCall: { name: 'a', args: FREE, function: { name: 'b', arguments: DENIED } } }],
  ['a call below a name that nobody knows', { ...SNAKE, op: 'sh', body: { ...DENIED, tool: { name: 'note', input: {} } } }],
  ['input that is no object', { ...SNAKE, tool_name: 'a', tool_input: [DENIED] }],
  ['input that is no JSON', { ...SNAKE, tool_name: 'a', tool_input: 'touch x' }],
  ['no call', { ...SNAKE }],
  ...['args', 'arguments', 'kwargs', 'params', 'input', 'toolArgs', 'tool_args'].flatMap(name =>
    [{}, FREE].flatMap(tool_input =>
      [DENIED, json(DENIED)].map((value): [string, Input] => [
        `${json(tool_input)} beside ${name} ${json(value)}`,
        { ...SNAKE, tool_name: 'Bash', tool_input, [name]: value },
      ]),
    ),
  ),
  ...['toolCall', 'tool_calls', 'functionCall', 'function_call', 'tool', 'call', 'function'].flatMap(name =>
    [{ name: 'b', arguments: DENIED }, [{ name: 'b', args: DENIED }], { function: { name: 'b', arguments: json(DENIED) } }].map(
      (value): [string, Input] => [
        `a whole call beside ${name} ${json(value)}`,
        { ...SNAKE, tool_name: 'Bash', tool_input: FREE, [name]: value },
      ],
    ),
  ),
  ...['command', 'cmd', 'commandLine', 'script'].map((name): [string, Input] => [
    `${name} beside the input`,
    { ...SNAKE, tool_name: 'run_it', tool_input: {}, [name]: 'touch x' },
  ]),
  ['the two spellings of a field disagree', { ...SNAKE, tool_name: 'Bash', tool_input: FREE, toolInput: DENIED }],
])('%s: nothing is taken', (_what, payload) => {
  const decoded = decode(payload)
  expect(parseEventPayload(decoded.event, decoded.payload)).toMatchObject({ ok: false })
  expect(decoded.isUnknownHost).toBe(true)
})

test('what came of a call is read too', () => {
  const decoded = decode({ ...CAMEL, toolCall: { name: 'run_it', args: DENIED }, toolResult: 'done' }, 'claude-code', 'PostToolUse')
  expect(parseEventPayload(decoded.event, decoded.payload)).toMatchObject({
    ok: true,
    value: { fields: { toolName: 'run_it', toolInput: DENIED, toolResponse: 'done' } },
  })
})

test('Claude Code itself is none, nor is the line of an agent that nobody else reads', () => {
  const call = { tool_name: 'Bash', tool_input: FREE }
  expect(decode({ ...SNAKE, ...call }).isUnknownHost).toBeUndefined()
  expect(decode({ ...SNAKE, prompt: 'x' }, 'claude-code', 'UserPromptSubmit').isUnknownHost).toBeUndefined()
  expect(decode({ ...CAMEL, toolName: 'x' }, 'codex').isUnknownHost).toBeUndefined()
})

test("Cursor's own calls of an MCP server say what started the server", () => {
  const payload = { conversation_id: 's', cwd: '/repo', tool_name: 'look', tool_input: json({ id: 1 }), command: 'npx some-server' }
  const decoded = decode(payload, 'cursor', 'beforeMCPExecution')
  expect(decoded.isUnknownHost).toBeUndefined()
  expect(parseEventPayload(decoded.event, decoded.payload)).toMatchObject({ ok: true, value: { fields: { toolInput: { id: 1 } } } })
})
