// The proxy over loopback HTTP between the official client and a server of the official package, with answers as JSON and as events.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import type { McpDoor } from '../mcp/listen-for-mcp.ts'
import { bridgeUrl } from './bridge-url.ts'
import { openTestGate, POLICY } from './fixtures/gate.ts'
import { proxyHttp } from './proxy-http.ts'

const script = fileURLToPath(new URL('./fixtures/server.mjs', import.meta.url))
let daemon: TestDaemon
const ends: (() => unknown)[] = []
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => daemon.stop())

async function startServer(answers: 'json' | 'events' | 'stateless'): Promise<URL> {
  const child = spawn(process.execPath, [script, 'http', answers], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => child.kill('SIGKILL'))
  const [port] = await once(child.stdout, 'data')
  return new URL(`http://127.0.0.1:${String(port).trim()}/anything`)
}

const reports: string[] = []
async function startProxy(url: URL): Promise<McpDoor> {
  const proxy = await proxyHttp({ url, port: 0, openGate: openTestGate(daemon), report: problem => reports.push(problem) })
  ends.push(() => proxy.close())
  return proxy
}

/** The client speaks stdio, the server HTTP. */
async function bridge(url: URL, headers: Record<string, string> = {}): Promise<Client> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const ending = new AbortController()
  const report = (problem: string) => void reports.push(problem)
  const code = bridgeUrl({ url, headers, gate: openTestGate(daemon)('mcp-bridge'), stdin, stdout, report, signal: ending.signal })
  ends.push(() => {
    ending.abort()
    return code
  })
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  await client.connect(new StdioServerTransport(stdout, stdin))
  return client
}

async function connect(answers: 'json' | 'events' | 'bridge' | 'stateless'): Promise<Client> {
  if (answers === 'bridge') return bridge(await startServer('events'))
  const proxy = await startProxy(await startServer(answers))
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)))
  ends.push(() => client.close())
  return client
}

const textsOf = ({ content }: { content: unknown }) => (content as { text: string }[]).map(({ text }) => text)

describe.each(['json', 'events', 'bridge'] as const)('answers as %s', answers => {
  test('tools are filtered, calls judged, results too', async () => {
    const client = await connect(answers)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('erase')
    const told = async (name: string, input: Record<string, unknown> = {}) => textsOf(await client.callTool({ name, arguments: input }))
    expect(await told('erase')).toEqual([expect.stringMatching(/^Tool denied: NEVER-ERASE \(rule mcp__demo__erase, /)])
    expect(await told('rename', { name: 'old' })).toEqual(['rename {"name":"changed"}'])
    expect(await told('secret')).toEqual(['[gone]'])
    expect(await told('noted')).toEqual(['noted {}', 'A-NOTE'])
    expect((await told('pay'))[0]).toMatch(/belay(?:\.cjs)? approvals/)
    expect((await client.readResource({ uri: 'note://one' })).contents[0]).toMatchObject({ text: 'a note' })
  })
})

test.each(['events', 'bridge'] as const)('questions to the client and big results come: %s', async way => {
  const client = await connect(way)
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { n: 3 } }))
  expect(textsOf(await client.callTool({ name: 'asks', arguments: {} }))[0]).toContain('"n":3')
  expect(textsOf(await client.callTool({ name: 'big', arguments: { size: 10_000_000 } }))[0]?.length).toBe(10_000_000)
})

describe.each(['json', 'events', 'bridge', 'stateless'] as const)('a call that a person must agree to, answers as %s', answers => {
  test.each([
    ['accept', 'pay {"amount":5}'],
    ['decline', 'did not agree'],
    ['cancel', 'did not agree'],
  ] as const)('the user says %s', async (action, told) => {
    const client = await connect(answers)
    const asked: unknown[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message)
      return action === 'accept' ? { action, content: {} } : { action }
    })
    expect(textsOf(await client.callTool({ name: 'pay', arguments: { amount: 5 } }))[0]).toContain(told)
    expect(asked).toEqual([expect.stringContaining('pay {"amount":5}')])
    // What is asked about nobody goes on as before.
    expect(textsOf(await client.callTool({ name: 'echo', arguments: {} }))).toEqual(['echo {}'])
    expect(asked).toHaveLength(1)
  })
})

test('several calls of one session are each asked about on their own', async () => {
  const client = await connect('json')
  client.setRequestHandler('elicitation/create', async ({ params }) =>
    params.message.includes('"amount":1}') ? { action: 'accept', content: {} } : { action: 'decline' },
  )
  const pay = async (amount: number) => textsOf(await client.callTool({ name: 'pay', arguments: { amount } }))[0]
  expect(await Promise.all([pay(1), pay(2)])).toEqual(['pay {"amount":1}', expect.stringContaining('did not agree')])
})

test('the answer of another session is none', async () => {
  const proxy = await startProxy(await startServer('json'))
  const connected = async () => {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
    const transport = new StreamableHTTPClientTransport(new URL(proxy.url))
    await client.connect(transport)
    ends.push(() => client.close())
    return { client, transport }
  }
  const [mine, other] = [await connected(), await connected()]
  let question: string | number = ''
  const seen: string[] = []
  mine.client.setRequestHandler('elicitation/create', async (_request, { mcpReq }) => {
    question = mcpReq.id
    // Somebody else says yes.
    const headers = { 'mcp-session-id': other.transport.sessionId ?? '', accept: 'application/json, text/event-stream' }
    await post(proxy.url, JSON.stringify({ jsonrpc: '2.0', id: question, result: { action: 'accept' } }), headers)
    seen.push('foreign yes')
    return { action: 'decline' }
  })
  expect(textsOf(await mine.client.callTool({ name: 'pay', arguments: {} }))[0]).toContain('did not agree')
  expect([question, seen]).toEqual([expect.stringMatching(/^belay-/), ['foreign yes']])
})

test('a server that is gone when the person has agreed is told as an answer', async () => {
  const calls: string[] = []
  const url = await serve(body => {
    // It opens no stream of its own.
    if (body === '') return { status: 405, headers: {}, text: '' }
    const { id, method, params } = JSON.parse(body)
    if (method === 'tools/call') calls.push(params.name)
    if (method === 'tools/call') return { status: 500, headers: { 'content-type': 'text/plain' }, text: 'gone' }
    const welcome = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1' } }
    return id === undefined ? { status: 202, headers: {}, text: '' } : { text: JSON.stringify({ jsonrpc: '2.0', id, result: welcome }) }
  })
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  await client.connect(new StreamableHTTPClientTransport(new URL((await startProxy(url)).url)))
  ends.push(() => client.close())
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }))
  await expect(client.callTool({ name: 'pay', arguments: {} })).rejects.toThrow(/status 500/)
  expect(calls).toEqual(['pay'])
})

test('over the bridge a call waits until the stream is open on which the server may ask', async () => {
  const seen: string[] = []
  const server = createServer(async (incoming, response) => {
    if (incoming.method === 'GET') {
      await pause(100)
      seen.push('stream')
      return void response.writeHead(405).end()
    }
    const { id, method } = JSON.parse(await text(incoming))
    seen.push(method)
    if (id === undefined) return void response.writeHead(202).end()
    const welcome = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1' } }
    const result = method === 'initialize' ? welcome : { content: [] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  const client = await bridge(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))
  await client.callTool({ name: 'echo', arguments: {} })
  expect(seen).toEqual(['initialize', 'notifications/initialized', 'stream', 'tools/call'])
})

/** A request as a program sends it that is no MCP client. */
function post(url: string, body: string, headers: Record<string, string> = {}): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, response => {
      let text = ''
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

async function serve(answer: (body: string) => { status?: number; headers?: Record<string, string>; text: string }): Promise<URL> {
  const server: Server = createServer(async (incoming, response) => {
    let body = ''
    for await (const piece of incoming) body += piece
    const { status = 200, headers = { 'content-type': 'application/json' }, text } = answer(body)
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
}

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })

test('a batch is answered by one batch, denials among it', async () => {
  const url = await serve(body => ({
    text: JSON.stringify(JSON.parse(body).map(({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: { content: [] } }))),
  }))
  const { text } = await post((await startProxy(url)).url, JSON.stringify([call(1, 'erase'), call(2, 'echo')]))
  expect(JSON.parse(text).map(({ id, result }: { id: number; result: { isError?: boolean } }) => [id, result.isError])).toEqual([
    [1, true],
    [2, undefined],
  ])
})

test('only calls that are sent on reach the server, byte for byte', async () => {
  const seen: string[] = []
  const url = await serve(body => {
    seen.push(body)
    return { text: '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}' }
  })
  const proxy = await startProxy(url)
  const odd = '{ "jsonrpc":"2.0",  "id":7, "method":"tools/call","params":{"name":"echo","arguments":{"n":12345678901234567890}}}'
  expect((await post(proxy.url, odd)).text).toBe('{"jsonrpc":"2.0","id":7,"result":{"content":[]}}')
  await post(proxy.url, JSON.stringify(call(8, 'erase')))
  expect(seen).toEqual([odd])
})

test.each([
  ['another Host', { host: 'evil.example' }, '{}', 421],
  ['a page of another site', { origin: 'https://evil.example' }, '{}', 403],
  ['a compressed body', { 'content-encoding': 'gzip' }, '{}', 400],
  ['no JSON', {}, 'hello', 400],
])('%s is refused', async (_what, headers, body, status) => {
  const url = await serve(() => ({ text: '{}' }))
  expect((await post((await startProxy(url)).url, body, headers)).status).toBe(status)
})

test.each([
  ['a redirect', { status: 307, headers: { location: 'http://elsewhere/' }, text: '' }, /elsewhere/],
  ['a compressed answer', { headers: { 'content-type': 'application/json', 'content-encoding': 'br' }, text: '{}' }, /compresses/],
  ['an answer to something else', { text: '{"jsonrpc":"2.0","id":99,"result":{}}' }, /nobody waits/],
])('%s of the server does not reach the client', async (_what, answer, why) => {
  const { status, text } = await post((await startProxy(await serve(() => answer))).url, JSON.stringify(call(1, 'echo')))
  expect([status, JSON.parse(text).error.message]).toEqual([502, expect.stringMatching(why)])
})

test('a server that is not there', async () => {
  const { status, text } = await post((await startProxy(new URL('http://127.0.0.1:9/mcp'))).url, JSON.stringify(call(1, 'echo')))
  expect([status, text]).toEqual([502, expect.stringContaining('cannot be reached')])
})

test('a bridge to a server that is not there answers with why', async () => {
  await expect(bridge(new URL('http://127.0.0.1:9/mcp'))).rejects.toThrow(/cannot be reached/)
})

test('headers of a bridge go to the server', async () => {
  const seen: unknown[] = []
  const server = createServer((incoming, response) => {
    seen.push(incoming.headers.authorization)
    response.writeHead(401).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  await expect(bridge(url, { authorization: 'Bearer x' })).rejects.toThrow(/cannot be reached/)
  expect(seen[0]).toBe('Bearer x')
})

test('what follows a notification reaches the server after it was taken', async () => {
  const seen: string[] = []
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const piece of incoming) body += piece
    if (incoming.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(body)
    const result = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
      tools: [],
    }
    if (id !== undefined) {
      seen.push(method)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
    setTimeout(() => {
      seen.push(method)
      response.writeHead(202).end()
    }, 200)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  const client = await bridge(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))
  await client.listTools()
  expect(seen).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
})
