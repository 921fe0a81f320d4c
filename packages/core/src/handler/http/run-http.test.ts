import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpHandler } from '../../hook/hook-definition.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import { deny, none } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { isPrivateAddress } from './private-address.ts'
import { createPublicLookup, type ResolveName } from './public-lookup.ts'
import { type HttpHook, runHttp } from './run-http.ts'

const EVENT = makeEvent({ env: { HOOK_FROM_AGENT: 'agent' } })

interface Seen {
  method: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let port = 0
let seen: Seen[] = []

const ROUTES: Record<string, (response: ServerResponse) => void> = {
  '/deny': response => json(response, { decision: 'deny', reason: 'no' }),
  '/empty': response => response.writeHead(204).end(),
  '/text': response => response.end('all fine'),
  '/garbage': response => response.end(Buffer.from([0xff, 0x00, 0xfe])),
  '/broken-json': response => response.setHeader('content-type', 'application/json').end('{"decision":'),
  '/words-as-json': response => response.setHeader('content-type', 'application/json; charset=utf-8').end('deny'),
  '/bad-enum': response => json(response, { decision: 'perhaps' }),
  '/redirect': response => response.writeHead(302, { location: '/deny' }).end(),
  '/not-found': response => response.writeHead(404).end('{"decision":"allow"}'),
  '/error': response => response.writeHead(500).end('{"decision":"deny","reason":"lost"}'),
  '/reset': response => response.destroy(),
  '/half': response => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"decision"', () => response.destroy())
  },
  '/huge': response => flood(response),
  '/slow': () => undefined,
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 0x20)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    seen.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() })
    ROUTES[request.url ?? '']?.(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function hookFor(url: string, handler: Partial<HttpHandler> = {}, change: Partial<HttpHook> = {}): HttpHook {
  return {
    event: 'PreToolUse',
    scope: 'session',
    name: 'gate',
    ...change,
    handler: { type: 'http', url, method: 'POST', headers: {}, allowedEnv: [], ...handler },
  }
}

function call(path: string, options: HandlerOptions = {}, hook: Partial<HttpHook> = {}): Promise<HandlerRun> {
  return runHttp(hookFor(`http://127.0.0.1:${port}${path}`, {}, hook), EVENT, { allowPrivate: ['127.0.0.1'], ...options })
}

describe('what the server says', () => {
  it.each([
    ['/deny', { kind: 'answered', result: { verdict: deny('no') }, detail: { status: 200 } }],
    ['/empty', { kind: 'answered', result: { verdict: none() }, detail: { status: 204 } }],
    ['/text', { kind: 'answered', result: { verdict: none() } }],
    ['/garbage', { kind: 'answered', result: { verdict: none() } }],
    ['/broken-json', { kind: 'failed', code: 'BELAY_HANDLER_BAD_ANSWER' }],
    ['/words-as-json', { kind: 'failed', code: 'BELAY_HANDLER_BAD_ANSWER' }],
    ['/bad-enum', { kind: 'failed', code: 'BELAY_HANDLER_BAD_ANSWER', why: expect.stringContaining('"perhaps"') }],
    ['/redirect', { kind: 'failed', code: 'BELAY_HTTP_REDIRECT', why: expect.stringContaining('/deny'), detail: { status: 302 } }],
    ['/not-found', { kind: 'failed', code: 'BELAY_HTTP_STATUS', why: expect.stringContaining('hook "gate": status 404') }],
    ['/error', { kind: 'failed', code: 'BELAY_HTTP_STATUS', detail: { status: 500 } }],
    ['/reset', { kind: 'failed', code: 'BELAY_HTTP_UNREACHABLE' }],
    ['/half', { kind: 'failed', code: 'BELAY_HTTP_UNREACHABLE' }],
    ['/huge', { kind: 'failed', code: 'BELAY_HTTP_TOO_LARGE' }],
  ])('%s', async (path, expected) => {
    expect(await call(path)).toMatchObject(expected)
  })

  it('says nothing in time', async () => {
    expect(await call('/slow', {}, { timeoutMs: 100 })).toMatchObject({ kind: 'cancelled', why: 'timeout' })
  })

  it('is given up by the caller', async () => {
    const controller = new AbortController()
    const answer = call('/slow', { signal: controller.signal })
    controller.abort()
    expect(await answer).toMatchObject({ kind: 'cancelled', why: 'aborted' })
  })

  it('does not speak TLS', async () => {
    const answer = await runHttp(hookFor(`https://127.0.0.1:${port}/deny`), EVENT, { allowPrivate: ['127.0.0.1'] })
    expect(answer).toMatchObject({ kind: 'failed', code: 'BELAY_HTTP_UNREACHABLE' })
  })

  it('is not there', async () => {
    const answer = await runHttp(hookFor('http://127.0.0.1:1/x'), EVENT, { allowPrivate: ['127.0.0.1'] })
    expect(answer).toMatchObject({ kind: 'failed', code: 'BELAY_HTTP_UNREACHABLE', why: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('what the server is sent', () => {
  it('the event, with headers filled in from allowed variables only', async () => {
    seen = []
    const headers = {
      Authorization: 'Bearer ${HOOK_API_KEY}',
      'X-Agent': '$HOOK_FROM_AGENT',
      'X-Stolen': 'a${SECRET}b$HOME',
    }
    const hook = hookFor(`http://127.0.0.1:${port}/empty`, { headers, method: 'PUT', allowedEnv: ['HOOK_*'] })
    const env = { HOOK_API_KEY: 'k', SECRET: 'secret', HOME: '/h' }
    const answer = await runHttp(hook, EVENT, { allowPrivate: ['127.0.0.1'], env })
    expect(answer.detail?.notes).toEqual([
      'header X-Stolen: SECRET is not in allowed_env and became empty',
      'header X-Stolen: HOME is not in allowed_env and became empty',
    ])
    const [request] = seen
    expect(request?.method).toBe('PUT')
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer k',
      'x-agent': 'agent',
      'x-stolen': 'ab',
      'content-type': 'application/json',
    })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'PreToolUse',
      env: { CLAUDE_PROJECT_DIR: expect.any(String) },
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_input: { command: 'ls' },
    })
  })

  it.each(['Bearer ${HOOK_NONE}', 'Bearer $HOOK_NONE', 'a${HOOK_API_KEY}b${HOOK_NONE}'])(
    'nothing, when a variable is not set: %s',
    async value => {
      seen = []
      const hook = hookFor(`http://127.0.0.1:${port}/empty`, { headers: { Authorization: value }, allowedEnv: ['HOOK_*'] })
      const answer = await runHttp(hook, EVENT, { allowPrivate: ['127.0.0.1'], env: { HOOK_API_KEY: 'k' } })
      expect(answer).toMatchObject({
        kind: 'failed',
        code: 'BELAY_HTTP_REQUEST',
        why: expect.stringContaining('header Authorization needs HOOK_NONE, which is not set'),
      })
      expect(seen).toEqual([])
    },
  )

  it('nothing, when a variable would break the header', async () => {
    seen = []
    const hook = hookFor(`http://127.0.0.1:${port}/empty`, { headers: { 'X-A': '$HOOK_A' }, allowedEnv: ['HOOK_A'] })
    const answer = await runHttp(hook, EVENT, { allowPrivate: ['127.0.0.1'], env: { HOOK_A: 'a\r\nX-B: b' } })
    expect(answer).toMatchObject({ kind: 'failed', code: 'BELAY_HTTP_REQUEST' })
    expect(seen).toEqual([])
  })
})

describe('where it may go', () => {
  it.each([
    'http://127.0.0.1:PORT/deny',
    'http://localhost:PORT/deny',
    'http://2130706433:PORT/deny',
    'http://0x7f.1:PORT/deny',
    'http://[::1]:PORT/deny',
    'http://[::ffff:127.0.0.1]:PORT/deny',
    'http://[::ffff:7f00:1]:PORT/deny',
    'http://0.0.0.0:PORT/deny',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'https://[fe80::1]/',
  ])('not to %s', async url => {
    seen = []
    const answer = await runHttp(hookFor(url.replace('PORT', String(port))), EVENT, {})
    expect(answer).toMatchObject({ kind: 'failed', code: 'BELAY_HTTP_PRIVATE_ADDRESS', why: expect.stringContaining('http_hooks.allow') })
    expect(seen).toEqual([])
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:PORT/deny', true],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT/deny', true],
    ['localhost', 'http://LocalHost:PORT/deny', true],
    ['127.0.0.1:1', 'http://127.0.0.1:PORT/deny', false],
    ['127.0.0.2', 'http://127.0.0.1:PORT/deny', false],
    ['localhost', 'http://127.0.0.1:PORT/deny', false],
  ])('allowed %s, called %s: %s', async (allowed, url, goes) => {
    const fill = (text: string) => text.replace('PORT', String(port))
    const answer = await runHttp(hookFor(fill(url)), EVENT, { allowPrivate: [fill(allowed)] })
    expect(answer).toMatchObject(goes ? { kind: 'answered', result: { verdict: deny('no') } } : { code: 'BELAY_HTTP_PRIVATE_ADDRESS' })
  })

  it.each(['unix:/tmp/x.sock', 'http+unix://%2Ftmp%2Fx.sock/', 'file:///etc/passwd', 'not a url', ''])('%j is no address', async url => {
    expect(await runHttp(hookFor(url), EVENT, {})).toMatchObject({ kind: 'failed', code: 'BELAY_HTTP_URL' })
  })

  const answerWith =
    (...addresses: string[]): ResolveName =>
    (_host, _options, callback) =>
      callback(
        null,
        addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      )

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::ffff:127.0.0.1']]])(
    'not to a public name that resolves to %j',
    async addresses => {
      seen = []
      const hook = hookFor(`http://hooks.example.test:${port}/deny`)
      const answer = await runHttp(hook, EVENT, { resolveName: answerWith(...addresses) })
      expect(answer).toMatchObject({ code: 'BELAY_HTTP_PRIVATE_ADDRESS', why: expect.stringContaining('hooks.example.test resolves to') })
      expect(seen).toEqual([])
    },
  )

  it.each([true, false])('a rebinding name is asked once, and the connection gets what was checked (all: %s)', all => {
    let asked = 0
    const rebinding: ResolveName = (host, options, callback) => answerWith(asked++ === 0 ? '8.8.8.8' : '127.0.0.1')(host, options, callback)
    const given: unknown[] = []
    createPublicLookup(rebinding)('rebind.example.test', { all }, (...args) => given.push(args))
    expect(given).toEqual(all ? [[null, [{ address: '8.8.8.8', family: 4 }]]] : [[null, '8.8.8.8', 4]])
    expect(asked).toBe(1)
  })
})

describe('private addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '::127.0.0.1',
    'not an address',
    '',
  ])('%s', address => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('not %s', address => {
    expect(isPrivateAddress(address)).toBe(false)
  })
})
