// The MCP server with the official client over HTTP, and a real daemon under the policy of three roles behind it.
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandCaller } from '../command/commit-caller.ts'
import { mcpParts } from '../command/mcp.ts'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import type { CommandIo } from '../terminal/io.ts'
import { createMcpServer } from './create-mcp-server.ts'
import type { McpDoor } from './listen-for-mcp.ts'
import { serveMcpHttp } from './serve-mcp-http.ts'

let daemon: TestDaemon
const servers: McpDoor[] = []
const clients: Client[] = []

beforeAll(async () => {
  daemon = await runDaemon({ policy: readFileSync(new URL('../../../../policies/trio.key', import.meta.url), 'utf8') })
})
afterAll(async () => {
  for (const client of clients) await client.close()
  for (const server of servers) await server.close()
  await daemon.stop()
})

function io(): CommandIo {
  const quiet = { write: () => undefined }
  return {
    stdin: Readable.from([]),
    stdout: quiet,
    stderr: quiet,
    env: { ...daemon.env, BELAY_NO_AUTOSTART: '1' },
    cwd: daemon.project,
    isTty: false,
    etc: '/nowhere',
  }
}

/** In a role that a person gave it. */
async function connect(role: string): Promise<Client> {
  return connectAs({ actor: null, agentId: null, agent: null, secret: await daemon.bind(`${role}-1`, role) })
}

async function connectAs(caller: CommandCaller): Promise<Client> {
  const parts = mcpParts(io(), caller)
  const server = await serveMcpHttp({ port: 0, token: 't0ken', createServer: () => createMcpServer(parts) })
  servers.push(server)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { authorization: 'Bearer t0ken' } } }),
  )
  clients.push(client)
  return client
}

interface Called {
  readonly isError: boolean
  readonly text: string
  readonly value: Record<string, unknown>
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content as { text?: string }[]
  const text = first?.text ?? ''
  return { isError: isError === true, text, value: isError === true || !text.startsWith('{') ? {} : JSON.parse(text) }
}

test('every verb is listed with a schema', async () => {
  const { tools } = await (await connect('agent:architect')).listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'mentu_capture',
      'mentu_commit',
      'mentu_claim',
      'mentu_evidence',
      'mentu_submit',
      'mentu_approve',
      'mentu_reject',
      'mentu_close',
      'effort_phase',
      'log',
      'dehydrate',
      'approvals_status',
      'explain',
    ]),
  )
  expect(tools.find(({ name }) => name === 'mentu_reject')?.inputSchema).toMatchObject({ required: ['target', 'text'] })
})

describe('three roles and one commitment', () => {
  test('from capture to close, with evidence, a refused self-approval and an approval', async () => {
    const architect = await connect('agent:architect')
    const executor = await connect('agent:executor')
    const auditor = await connect('agent:auditor')

    const memory = await call(architect, 'mentu_capture', { text: 'the parser fails on tabs' })
    expect(memory.isError).toBe(false)
    const committed = await call(architect, 'mentu_commit', { text: 'mend the parser', review: true })
    const { id } = committed.value.commitment as { id: string }
    expect([id, committed.value.actor]).toEqual([expect.stringMatching(/^cmt_/), 'agent:architect'])

    expect(await call(architect, 'mentu_claim', { target: id })).toMatchObject({ isError: true })
    expect(await call(executor, 'mentu_commit', { text: 'my own idea' })).toMatchObject({ isError: true })
    expect(await call(executor, 'mentu_claim', { target: id })).toMatchObject({ isError: false })
    expect(await call(executor, 'mentu_evidence', { target: id, kind: 'test', status: 'passed', text: '12 tests pass' })).toMatchObject({
      isError: false,
    })
    expect(await call(executor, 'mentu_submit', { target: id })).toMatchObject({ isError: false })

    const own = await call(executor, 'mentu_approve', { target: id })
    expect([own.isError, own.text]).toEqual([true, expect.stringMatching(/^agent:executor worked on cmt_\w+ and cannot approve it/)])
    expect(await call(auditor, 'mentu_claim', { target: id })).toMatchObject({ isError: true })
    expect(await call(auditor, 'mentu_approve', { target: id })).toMatchObject({ isError: false })

    const { commitment } = (await call(auditor, 'mentu_show', { id })).value as { commitment: { state: string } }
    expect(commitment.state).toBe('closed')
  })
})

test('an argument cannot say who calls', async () => {
  const executor = await connect('agent:executor')
  await expect(executor.callTool({ name: 'mentu_commit', arguments: { text: 'x', actor: 'human:ada' } })).resolves.toMatchObject({
    isError: true,
  })
})

test.each(['human:ada', 'agent:auditor', 'auditor'])('BELAY_ACTOR=%s makes nobody of an agent', async actor => {
  const client = await connectAs({ actor, agentId: null, agent: null, secret: null })
  // An auditor may capture; an agent without a role may nothing.
  expect(await call(client, 'mentu_capture', { text: 'x' })).toMatchObject({ isError: true })
})

test('what a name in the environment may not do is refused, though the role may', async () => {
  const secret = await daemon.bind('lowered', 'architect')
  const lowered = await connectAs({ actor: 'agent:executor', agentId: null, agent: null, secret })
  expect(await call(lowered, 'mentu_commit', { text: 'x' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('mentu_commit(*)'),
  })
})

test('explain judges for the caller and runs nothing', async () => {
  const { value } = await call(await connect('agent:executor'), 'explain', { command: 'git push --force' })
  expect(value).toMatchObject({ decision: 'deny' })
})

test('what the daemon refuses is an error that the model can read', async () => {
  const { isError, text } = await call(await connect('agent:executor'), 'log', { text: 'x' })
  expect([isError, text]).toEqual([true, expect.stringContaining('no active effort')])
})

test('approvals can be looked at', async () => {
  expect((await call(await connect('agent:executor'), 'approvals_status')).value).toEqual({ requests: [] })
})

describe('over HTTP', () => {
  const post = (url: string, headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })

  test('no token, a wrong token, a foreign origin, another path are refused', async () => {
    await connect('agent:executor')
    const url = servers.at(-1)?.url ?? ''
    expect((await post(url, {})).status).toBe(401)
    expect((await post(url, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await post(url, { authorization: 'Bearer t0ken', origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(url.replace('/mcp', '/other'), { authorization: 'Bearer t0ken' })).status).toBe(404)
  })
})
