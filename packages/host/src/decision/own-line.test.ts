// A host with hooks of its own that reads another agent's hook file too: each event is judged and recorded once, and nothing is lost by it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(echo original)"
      type: modify
      config: { set: { "/command": "echo changed" } }
permissions:
  default: none
  actors:
    "agent:*": { deny: ["Bash(touch denied *)"] }
`
let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

type Fields = Readonly<Record<string, unknown>>

/** As Grok Build sends it: names stand there twice. */
const send = (line: string, event: string, fields: Fields) =>
  daemon.hook(event, { hookEventName: event, hook_event_name: event, ...fields }, { agent: line })

const bash = (session: string, command: string, id?: string) => ({
  session_id: session,
  tool_name: 'run_terminal_command',
  tool_input: { command },
  ...(id === undefined ? {} : { tool_use_id: id }),
})

/** Lines on which what a session sent was judged, in the order of the record. A denial is on disk before its answer, and all before it. */
async function judged(session: string) {
  await send('grok', 'PreToolUse', bash('last', `touch denied ${session}`, `last-${session}`))
  return (await daemon.entries())
    .filter(
      ({ read }) => read.agent === 'grok' && JSON.stringify(read).includes(session) && !JSON.stringify(read).includes(`denied ${session}`),
    )
    .map(({ kind, read }) => `${kind} ${read.line ?? 'own'}`)
}

const CALL = (session: string) => bash(session, `touch ${session}`, `id-${session}`)

test.each<[string, string, readonly (readonly [string, Fields])[], readonly string[]]>([
  [
    'a call',
    'a-call',
    [
      ['grok', CALL('a-call')],
      ['claude-code', CALL('a-call')],
    ],
    ['pre_tool_use own'],
  ],
  ['on the other line alone', 'alone', [['claude-code', CALL('alone')]], ['pre_tool_use claude-code']],
  [
    'on the other line first',
    'first',
    [
      ['claude-code', CALL('first')],
      ['grok', CALL('first')],
    ],
    ['pre_tool_use claude-code', 'pre_tool_use own'],
  ],
  [
    'a third time',
    'third',
    [
      ['grok', CALL('third')],
      ['claude-code', CALL('third')],
      ['claude-code', CALL('third')],
    ],
    ['pre_tool_use own', 'pre_tool_use claude-code'],
  ],
  [
    'another command under the same id',
    'swapped',
    [
      ['grok', CALL('swapped')],
      ['claude-code', bash('swapped', 'touch swapped-one', 'id-swapped')],
    ],
    ['pre_tool_use own', 'pre_tool_use claude-code'],
  ],
  [
    'without an id',
    'no-id',
    [
      ['grok', bash('no-id', 'touch no-id')],
      ['claude-code', bash('no-id', 'touch no-id')],
    ],
    ['pre_tool_use own', 'pre_tool_use claude-code'],
  ],
])('%s', async (_title, session, calls, record) => {
  for (const [line, fields] of calls) expect((await send(line, 'PreToolUse', fields)).exit).toBe(0)
  expect(await judged(session)).toEqual(record)
})

test('a denied call is denied on both lines', async () => {
  const call = bash('denied-twice', 'touch denied x', 'd1')
  for (const line of ['grok', 'claude-code']) expect((await send(line, 'PreToolUse', call)).decision).toBe('deny')
})

test('a rewritten call is judged as it comes', async () => {
  const call = bash('rewritten', 'echo original', 'r1')
  for (const line of ['grok', 'claude-code']) expect((await send(line, 'PreToolUse', call)).stdout).toContain('echo changed')
})

test('a prompt', async () => {
  for (const line of ['grok', 'claude-code']) await send(line, 'UserPromptSubmit', { session_id: 'a-prompt', prompt: 'say a-prompt' })
  expect(await judged('a-prompt')).toEqual(['user_prompt_submit own'])
})

test('rules for the owner of the line hold on it', async () => {
  const other = await runDaemon({
    policy: POLICY.replace('"agent:*": { deny: ["Bash(touch denied *)"] }', '"agent:claude-code": { deny: ["Bash(touch owned)"] }'),
  })
  try {
    const call = { hookEventName: 'PreToolUse', hook_event_name: 'PreToolUse', ...bash('owner', 'touch owned', 'o1') }
    const says = async (line: string) => (await other.hook('PreToolUse', call, { agent: line })).decision
    expect([await says('grok'), await says('claude-code')]).toEqual([undefined, 'deny'])
  } finally {
    await other.stop()
  }
})
