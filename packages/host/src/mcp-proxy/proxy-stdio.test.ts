// The proxy between the official client and a server of the official package in a process of its own, under a real daemon.
import { spawnSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { openTestGate, POLICY } from './fixtures/gate.ts'
import { proxyStdio } from './proxy-stdio.ts'

const server = fileURLToPath(new URL('./fixtures/server.mjs', import.meta.url))
let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

interface Proxied {
  readonly client: Client
  readonly code: Promise<number>
  readonly reports: string[]
  /** Raw bytes to the proxy, and lines from it. */
  write(text: string): void
  readonly lines: string[]
  end(): void
}

const running: Proxied[] = []
afterEach(async () => {
  for (const { end, code } of running.splice(0)) {
    end()
    await code
  }
})

function open(command: readonly [string, ...string[]] = [process.execPath, server]): Proxied {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const ending = new AbortController()
  const reports: string[] = []
  const lines: string[] = []
  stdout.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  const gate = openTestGate(daemon)('mcp-stdio')
  const code = proxyStdio({
    command,
    cwd: daemon.project,
    env: { PATH: process.env.PATH },
    gate,
    stdin,
    stdout,
    report: problem => reports.push(problem),
    signal: ending.signal,
  })
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  const proxied = { client, code, reports, lines, write: (text: string) => void stdin.write(text), end: () => ending.abort() }
  running.push(proxied)
  return Object.assign(proxied, { transport: new StdioServerTransport(stdout, stdin) })
}

async function connect(): Promise<Proxied> {
  const proxied = open()
  await proxied.client.connect((proxied as Proxied & { transport: StdioServerTransport }).transport)
  return proxied
}

const textsOf = ({ content }: { content: unknown }) => (content as { text: string }[]).map(({ text }) => text)

test('tools that can never be allowed are not listed, the others are', async () => {
  const { client } = await connect()
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).not.toContain('erase')
  expect(names).toEqual(expect.arrayContaining(['send', 'pay', 'rename', 'echo']))
})

test('a denied call is a result that the model can read, and never reaches the server', async () => {
  const { client } = await connect()
  expect(await client.callTool({ name: 'erase', arguments: { all: true } })).toEqual({
    content: [{ type: 'text', text: expect.stringMatching(/^Tool denied: NEVER-ERASE \(rule mcp__demo__erase, /) }],
    isError: true,
  })
  const [entry] = (await daemon.entries('pre_tool_use')).filter(({ read }) => read.tool === 'mcp__demo__erase')
  expect(entry?.read).toMatchObject({ agent: 'mcp', verdict: 'deny', input: { all: true } })
})

test.each([
  ['echo', { to: 'a' }, ['echo {"to":"a"}']],
  ['send', { to: 'friend' }, ['send {"to":"friend"}']],
  ['rename', { name: 'old' }, ['rename {"name":"changed"}']],
  ['secret', {}, ['[gone]']],
  ['noted', {}, ['noted {}', 'A-NOTE']],
])('%s %j', async (name, input, texts) => {
  const { client } = await connect()
  const result = await client.callTool({ name, arguments: input })
  expect(textsOf(result)).toEqual(texts)
})

test('a rule about an argument denies that argument only', async () => {
  const { client } = await connect()
  const result = await client.callTool({ name: 'send', arguments: { to: 'evil corp' } })
  expect(result.isError).toBe(true)
  expect(textsOf(result)[0]).toMatch(/^Tool denied: /)
})

test('an ask is put to the user of the client', async () => {
  const { client } = await connect()
  const said: string[] = []
  let action: 'accept' | 'decline' = 'accept'
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    said.push(params.message)
    return { action, content: {} }
  })
  expect((await client.callTool({ name: 'pay', arguments: { amount: 5 } })).isError ?? false).toBe(false)
  action = 'decline'
  const refused = await client.callTool({ name: 'pay', arguments: { amount: 6 } })
  expect([refused.isError, textsOf(refused)[0]]).toEqual([true, expect.stringContaining('its user did not agree')])
  expect(said.map(text => /pay .*$/.exec(text)?.[0])).toEqual(['pay {"amount":5}', 'pay {"amount":6}'])
})

test('an ask that nobody can answer is denied with how to approve it', async () => {
  const { client } = await connect()
  const result = await client.callTool({ name: 'pay', arguments: { amount: 5 } })
  expect(result.isError).toBe(true)
  expect(textsOf(result)[0]).toMatch(/belay(?:\.cjs)? approvals/)
})

test('a failing tool is recorded as one, its result stays', async () => {
  const { client } = await connect()
  expect(await client.callTool({ name: 'fails', arguments: {} })).toMatchObject({ isError: true, content: [{ text: 'it broke' }] })
  const failures = async () => (await daemon.entries('post_tool_use_failure')).map(({ read }) => read)
  await expect.poll(failures).toMatchObject([{ tool: 'mcp__demo__fails', fields: { error: 'it broke' } }])
})

test('resources, progress, cancellation and questions to the client pass', async () => {
  const { client, reports } = await connect()
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { n: 3 } }))
  expect((await client.readResource({ uri: 'note://one' })).contents[0]).toMatchObject({ text: 'a note' })
  expect(textsOf(await client.callTool({ name: 'asks', arguments: {} }))[0]).toContain('"n":3')
  const ending = new AbortController()
  const progress = await new Promise(resolve => {
    client.callTool({ name: 'slow', arguments: {} }, { signal: ending.signal, onprogress: resolve }).catch(() => undefined)
  })
  expect(progress).toMatchObject({ progress: 1, total: 2 })
  ending.abort()
  expect(textsOf(await client.callTool({ name: 'echo', arguments: {} }))).toEqual(['echo {}'])
  expect(reports.filter(report => !report.includes('nobody waits'))).toEqual([])
})

test('ten megabytes in and out', async () => {
  const { client } = await connect()
  const size = 10_000_000
  const [out] = textsOf(await client.callTool({ name: 'big', arguments: { size } }))
  const [back] = textsOf(await client.callTool({ name: 'big', arguments: { size: 3, padding: 'y'.repeat(size) } }))
  expect([out?.length, back]).toEqual([size, 'xxx'])
})

const rpc = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}
const initialize = rpc(0, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 't', version: '1' } })

test('lines that cannot be judged are told and do not end it', async () => {
  const { write, lines, reports } = open()
  write('this is not JSON\n')
  write('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"erase"}}\n')
  write('{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"erase"}}\n')
  write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"erase","arguments":[1]}}\n')
  write(`${JSON.stringify(initialize)}\n`)
  await until(() => lines.length >= 5)
  const answers = lines.map(line => JSON.parse(line))
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32700],
    [1, -32602],
    [0, undefined],
  ])
  expect(reports).toHaveLength(3)
})

test('a batch: what is denied is answered, the rest goes on', async () => {
  const { write, lines } = open([process.execPath, '-e', ECHO_BATCH])
  const calls = [
    rpc(1, 'tools/call', { name: 'erase', arguments: {} }),
    rpc(2, 'tools/call', { name: 'echo', arguments: {} }),
    rpc(3, 'ping'),
  ]
  write(`${JSON.stringify(calls)}\n`)
  await until(() => lines.length >= 2)
  const answers = lines.flatMap(line => JSON.parse(line))
  expect(answers.map(({ id, result }) => [id, result.isError ?? false])).toEqual(
    expect.arrayContaining([
      [1, true],
      [2, false],
      [3, false],
    ]),
  )
  expect(lines.every(line => line.startsWith('['))).toBe(true)
})

/** Answers a batch by a batch, as servers of the protocol of March 2025 do. */
const ECHO_BATCH = `process.stdin.on('data', text => console.log(JSON.stringify(JSON.parse(text).map(({ id }) => ({ jsonrpc: '2.0', id, result: { content: [] } })))))`

const answer = (id: number, text: string) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

test('an answer that nobody waits for, a second one, and what is not JSON are held back', async () => {
  const said = ['hello', answer(9, 'x'), answer(1, 'once'), answer(1, 'again')]
  const script = `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(said.map(line => `${line}\n`).join(''))}))`
  const { write, lines, reports } = open([process.execPath, '-e', script])
  write(`${JSON.stringify(rpc(1, 'tools/call', { name: 'echo' }))}\n`)
  await until(() => lines.length >= 1 && reports.length >= 3)
  expect(lines).toEqual([answer(1, 'once')])
  expect(reports.join('\n')).toMatch(/hello[\s\S]*nobody waits[\s\S]*answered before/)
})

test('a call that is called off while it is judged never reaches the server', async () => {
  const { write, lines, reports } = open([
    process.execPath,
    '-e',
    `process.stdin.on('data', text => console.log('{"jsonrpc":"2.0","method":"saw","params":' + JSON.stringify(String(text)) + '}'))`,
  ])
  write(
    `${JSON.stringify(rpc(1, 'tools/call', { name: 'echo' }))}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`,
  )
  await until(() => reports.length >= 2)
  write(`${JSON.stringify(rpc(2, 'ping'))}\n`)
  await until(() => lines.length >= 1)
  expect(lines.join('\n')).toContain('ping')
  expect(lines.join('\n')).not.toContain('tools/call')
})

test('a server that crashes: the call ends in an error that says so, the exit code is passed on', async () => {
  const { client, code } = await connect()
  await expect(client.callTool({ name: 'crash', arguments: {} })).rejects.toThrow(/ended with exit code 7/)
  expect(await code).toBe(7)
})

test('a server that does not exist', async () => {
  const { code, reports } = open(['/nonexistent/server'])
  expect(await code).toBe(2)
  expect(reports.join()).toMatch(/cannot be started: spawn \/nonexistent\/server ENOENT/)
})

test('what the server has started ends with the proxy', async () => {
  const { lines, end, code } = open([
    'sh',
    '-c',
    `sleep 600 & echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"child\\",\\"params\\":{\\"pid\\":$!}}"; wait`,
  ])
  await until(() => lines.length >= 1)
  const { pid } = JSON.parse(lines[0] ?? '').params
  end()
  expect(await code).toBe(143)
  await until(() => !isAlive(pid))
})

/** One that has ended and that nobody has asked about yet is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout.trim())
}
