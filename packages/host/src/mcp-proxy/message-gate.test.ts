// What becomes of single messages: what is said about a call and its result comes in as an argument.
import { describe, expect, test } from 'vitest'
import type { AfterCall, BeforeCall, FinishedCall, McpCall } from './call-judge.ts'
import type { Json } from './message.ts'
import { createMessageGate, type MessageGate } from './message-gate.ts'
import { createQuestions } from './questions.ts'
import { isServerName, nameOfCommand, nameOfUrl } from './server-name.ts'

const RUN: BeforeCall = { kind: 'run', input: null, context: null }
const SILENT: AfterCall = { output: null, notes: [], isDenied: false }
const PASS = { kind: 'pass' }

interface Opened {
  readonly gate: MessageGate
  readonly finished: FinishedCall['outcome'][]
  readonly judged: McpCall[]
}

function open(before: BeforeCall = RUN, after: AfterCall = SILENT): Opened {
  const judged: McpCall[] = []
  const finished: FinishedCall['outcome'][] = []
  const judge = {
    async before(call: McpCall) {
      judged.push(call)
      return before
    },
    async after(_call: unknown, { outcome }: FinishedCall) {
      finished.push(outcome)
      return after
    },
  }
  const visibleTools = async (names: readonly string[]) => new Set(names.filter(name => name !== 'hidden'))
  const options = {
    session: 's',
    judge,
    visibleTools,
    noteTools: () => new Map(),
    noteInstructions: () => null,
    noteCatalog: (catalog: string, listed: readonly unknown[] | null) =>
      listed?.includes('hidden') === true ? `look at the ${catalog}` : null,
    now: () => 0,
    questions: createQuestions(),
  }
  return { gate: createMessageGate(options), finished, judged }
}

const call = (params: Json = {}) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: { a: 1 }, ...params } })
const answer = (result: Json, id: unknown = 1) => ({ jsonrpc: '2.0', id, result })
const text = (said: string) => ({ type: 'text', text: said })

describe('resources', () => {
  const read = (params: Json, method = 'resources/read') => ({ jsonrpc: '2.0', id: 1, method, params })
  test.each(['resources/read', 'resources/subscribe'])('%s is judged as a call', async method => {
    const refused = open({ kind: 'deny', reason: 'Tool denied: no' })
    expect(await refused.gate.fromClient(read({ uri: 'file:///repo/.env' }, method))).toMatchObject({
      kind: 'answer',
      message: { id: 1, error: { message: 'Tool denied: no' } },
    })
    expect(refused.judged).toMatchObject([{ tool: 'read_resource', input: { uri: 'file:///repo/.env' } }])
    expect(refused.gate.openRequests()).toEqual([])
    const { gate } = open()
    expect(await gate.fromClient(read({ uri: 'note://x' }, method))).toEqual(PASS)
    expect(await gate.fromServer(answer({ contents: [] }))).toEqual(PASS)
  })
  test.each<[Json]>([[{}], [{ uri: ['file:///repo/.env'] }], [{ URI: 'file:///repo/.env' }]])('%j names none', async params => {
    const { gate, judged } = open()
    expect(await gate.fromClient(read(params))).toMatchObject({ kind: 'answer', message: { error: { code: -32602 } } })
    expect(judged).toEqual([])
  })
  test('without an id it is dropped where it is refused', async () => {
    const { gate } = open({ kind: 'deny', reason: 'no' })
    const { id: _, ...message } = read({ uri: 'x' })
    expect(await gate.fromClient(message)).toEqual({ kind: 'drop', why: 'no' })
  })
  test.each([
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ])('what %s hides is said before the next call', async (method, field) => {
    const { gate, judged } = open()
    await gate.fromClient({ jsonrpc: '2.0', id: 7, method })
    expect(await gate.fromServer(answer({ [field]: ['hidden'] }, 7))).toEqual(PASS)
    await gate.fromClient(call())
    await gate.fromClient({ jsonrpc: '2.0', id: 8, method })
    await gate.fromServer(answer({ [field]: [] }, 8))
    await gate.fromClient({ ...call(), id: 9 })
    expect(judged.map(({ definitionChange }) => definitionChange)).toEqual([expect.stringMatching(/^look at the \w+$/), null])
  })
})

test.each(['danger\u3164', 'danger\ufe01', 'dan\u034fger'])('%j is no name of a tool', async name => {
  const { gate, judged } = open()
  expect(await gate.fromClient(call({ name }))).toMatchObject({ kind: 'answer' })
  expect(judged).toEqual([])
})

describe('results', () => {
  test.each<[string, AfterCall, Json, Json | null]>([
    ['nothing to say', SILENT, { content: [text('x')] }, null],
    ['a note', { ...SILENT, notes: ['n'] }, { content: [text('x')] }, { content: [text('x'), text('n')] }],
    [
      'an objection',
      { ...SILENT, notes: ['no'], isDenied: true },
      { content: [text('x')] },
      { content: [text('x'), text('no')], isError: true },
    ],
    [
      'a text instead',
      { ...SILENT, output: { value: 'y' } },
      { content: [text('x')], structuredContent: { x: 1 } },
      { content: [text('y')] },
    ],
    ['a result instead', { ...SILENT, output: { value: { content: [text('z')] } } }, { content: [text('x')] }, { content: [text('z')] }],
    ['a value instead', { ...SILENT, output: { value: { n: 1 } } }, { content: [text('x')] }, { content: [text('{"n":1}')] }],
  ])('%s', async (_what, after, result, changed) => {
    const { gate } = open(RUN, after)
    await gate.fromClient(call())
    expect(await gate.fromServer(answer(result))).toEqual(changed === null ? PASS : { kind: 'replace', message: answer(changed) })
    expect(gate.openRequests()).toEqual([])
  })

  test('what was said before the call comes with its result', async () => {
    const { gate } = open({ kind: 'run', input: null, context: 'mind the gap' })
    await gate.fromClient(call())
    expect(await gate.fromServer(answer({ content: [] }))).toEqual({
      kind: 'replace',
      message: answer({ content: [text('mind the gap')] }),
    })
  })

  test('an error of the server carries the hint', async () => {
    const { gate, finished } = open(RUN, { ...SILENT, notes: ['try again'] })
    await gate.fromClient(call())
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'bad' } }
    expect(await gate.fromServer(error)).toMatchObject({ kind: 'replace', message: { error: { code: -32602, message: 'bad\ntry again' } } })
    expect(finished).toEqual([{ kind: 'failure', error: 'bad' }])
  })

  test('a task: its result is judged when it is fetched', async () => {
    const { gate, finished } = open()
    await gate.fromClient(call({ task: { ttl: 1000 } }))
    expect(await gate.fromServer(answer({ task: { taskId: 'k', status: 'working' } }))).toEqual(PASS)
    expect(finished).toEqual([])
    expect(gate.fromClient({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 'k' } })).toEqual(PASS)
    await gate.fromServer(answer({ content: [] }, 2))
    expect(finished).toEqual([{ kind: 'result', result: { content: [] } }])
  })

  test('a call that wants input first has not run', async () => {
    const { gate, finished } = open()
    await gate.fromClient(call())
    expect(await gate.fromServer(answer({ resultType: 'input_required', inputRequests: {} }))).toEqual(PASS)
    expect(finished).toMatchObject([{ kind: 'failure' }])
  })

  test('a call that is called off after it was sent has ended', async () => {
    const { gate, finished } = open()
    await gate.fromClient(call())
    expect(gate.fromClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })).toEqual(PASS)
    expect(finished).toEqual([{ kind: 'failure', error: 'called off by the client' }])
    expect(gate.fromServer(answer({ content: [] }))).toMatchObject({ kind: 'drop' })
  })
})

describe('calls', () => {
  test('a rewritten input, and everything else of the call', async () => {
    const { gate } = open({ kind: 'run', input: { a: 2 }, context: null })
    expect(await gate.fromClient(call({ _meta: { progressToken: 7 } }))).toEqual({
      kind: 'replace',
      message: call({ _meta: { progressToken: 7 }, arguments: { a: 2 } }),
    })
  })

  test.each<[string, Json, Json]>([
    ['a denied call', call(), { kind: 'answer', message: { result: { isError: true, content: [text('no')] } } }],
    ['a denied task', call({ task: {} }), { kind: 'answer', message: { error: { message: 'no' } } }],
    ['a denied call that wants no answer', { jsonrpc: '2.0', method: 'tools/call', params: { name: 't' } }, { kind: 'drop', why: 'no' }],
    ['no name', call({ name: 7 }), { kind: 'answer', message: { error: { code: -32602 } } }],
    ['an id that parsers read differently', { ...call(), id: 2 ** 60 }, { kind: 'answer', message: { id: null, error: { code: -32600 } } }],
  ])('%s', async (_what, message, passage) => {
    expect(await open({ kind: 'deny', reason: 'no' }).gate.fromClient(message)).toMatchObject(passage)
  })
})

test('lists of tools are filtered, page by page', async () => {
  const { gate } = open()
  gate.fromClient({ jsonrpc: '2.0', id: 'l', method: 'tools/list' })
  const page = answer({ tools: [{ name: 'hidden' }, { name: 'shown' }], nextCursor: 'c' }, 'l')
  expect(await gate.fromServer(page)).toEqual({ kind: 'replace', message: answer({ tools: [{ name: 'shown' }], nextCursor: 'c' }, 'l') })
})

test.each([
  [{ jsonrpc: '2.0', id: 5, method: 'sampling/createMessage', params: {} }, PASS],
  [{ jsonrpc: '2.0', method: 'notifications/message', params: {} }, PASS],
  [{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'unread' } }, PASS],
  [
    { jsonrpc: '2.0', id: 1, method: 'x', result: {} },
    { kind: 'drop', why: 'it is a request and an answer at once' },
  ],
])('of the server: %j', (message, passage) => {
  expect(open().gate.fromServer(message)).toEqual(passage)
})

test.each([
  [['npx', '-y', '@scope/server-files@1.2', '/data'], 'server-files'],
  [['uvx', 'mcp-server-git'], 'mcp-server-git'],
  [['node', '/opt/my.server.mjs'], 'my_server'],
  [['env', 'TOKEN=x', './bin/run__it'], 'run_it'],
  [['docker', 'run', '-i', 'image'], 'docker'],
])('%j is called %s', (words, name) => {
  expect(nameOfCommand(words)).toBe(name)
})

test('names of servers', () => {
  expect(nameOfUrl(new URL('https://mcp.example.com/mcp'))).toBe('mcp_example_com')
  expect(['files', 'a_b', 'a-1', 'a__b', '_a', 'a b', ''].map(isServerName)).toEqual([true, true, true, false, false, false, false])
})
