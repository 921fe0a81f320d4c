import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from './admission.ts'
import { readJson } from './body.ts'
import type { Route } from './route.ts'
import { createHttpServer, sendJson, sendProblem } from './server.ts'

const routes: readonly Route[] = [
  { method: 'GET', path: '/healthz', open: true, summary: 'alive', run: ({ response }) => sendJson(response, 200, { ok: true }) },
  {
    method: 'GET',
    path: '/v1/thing/{name}',
    summary: 'a thing',
    run: ({ response, parameters, as }) => sendJson(response, 200, { ...parameters, as }),
  },
  {
    method: 'POST',
    path: '/v1/thing/{name}',
    summary: 'change a thing',
    async run({ request, response, as }) {
      const body = await readJson(request)
      if (!body.ok) return sendProblem(response, body.status, body.message)
      sendJson(response, 200, { body: body.value, as })
    },
  },
  {
    method: 'POST',
    path: '/v1/person',
    summary: 'for people',
    run: ({ response, as }) => sendJson(response, 200, { as }),
  },
  {
    method: 'POST',
    path: '/v1/broken',
    summary: 'fails',
    run() {
      throw new Error('a bug')
    },
  },
]

const folder = mkdtempSync(join(tmpdir(), 'belay-http-'))
const socketPath = join(folder, 'daemon.sock')
const failures: unknown[] = []
const secrets = { token: 'right', checkSession: (cookie: string) => (cookie === 'person' ? ('ok' as const) : ('unknown' as const)) }
const door: { kind: 'tcp'; port: number } = { kind: 'tcp', port: 0 }
const unixDoor: Door = { kind: 'unix', port: 0 }
const onFailure = (error: unknown) => void failures.push(error)
const userOf = (route: string) => (route === 'POST /v1/person' ? ('person' as const) : ('agent' as const))
const tcp = createHttpServer({ routes, door, secrets, userOf, onFailure })
const unix = createHttpServer({ routes, door: unixDoor, secrets, userOf, onFailure })

beforeAll(async () => {
  await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
  door.port = (tcp.address() as AddressInfo).port
  await new Promise<void>(resolve => unix.listen(socketPath, resolve))
})

afterAll(async () => {
  tcp.close()
  unix.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly socket?: boolean
}

function send({
  method = 'GET',
  path = '/v1/thing/a',
  headers = {},
  body,
  socket = false,
}: Ask): Promise<{ status: number; body: unknown }> {
  const place = socket ? { socketPath } : { host: '127.0.0.1', port: door.port }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { ...place, method, path, headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers } },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

describe('Host x Origin x method x secret: only our own page and token holders get in', () => {
  const own = () => `127.0.0.1:${door.port}`
  const hosts = () => [
    own(),
    `localhost:${door.port}`,
    `[::1]:${door.port}`,
    'evil.example',
    `evil.example:${door.port}`,
    '127.0.0.1',
    '127.0.0.1:1',
  ]
  const origins = (host: string) => [
    undefined,
    `http://${host}`,
    'http://evil.example',
    'null',
    `https://${host}`,
    `http://${host}.evil.example`,
  ]
  const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    none: {},
    token: { authorization: 'Bearer right' },
    'wrong token': { authorization: 'Bearer wrong' },
    session: { cookie: 'x=1; belay_session=person' },
    'wrong session': { cookie: 'belay_session=nobody' },
  }

  interface Visit {
    readonly host: string
    readonly origin: string | undefined
    readonly method: string
    readonly kind: string
  }

  function* visits(): Iterable<Visit> {
    for (const host of hosts())
      for (const origin of origins(host))
        for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
          for (const kind of Object.keys(credentials)) yield { host, origin, method, kind }
  }

  function isWelcome({ host, origin, method, kind }: Visit): boolean {
    const ownHost = [own(), `localhost:${door.port}`, `[::1]:${door.port}`].includes(host)
    const ownOrigin = origin === undefined || origin === `http://${host}`
    const known = kind === 'token' || (kind === 'session' && (method === 'GET' || origin !== undefined))
    return ownHost && ownOrigin && known && (method === 'GET' || method === 'POST')
  }

  test('the whole matrix', async () => {
    const wrong: string[] = []
    let admitted = 0
    for (const visit of visits()) {
      const { host, origin, method, kind } = visit
      const headers = { host, ...(origin === undefined ? {} : { origin }), ...credentials[kind] }
      const { status } = await send({ method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
      if (isWelcome(visit)) admitted++
      if ((status === 200) !== isWelcome(visit)) wrong.push(`${method} host=${host} origin=${origin} ${kind}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(admitted).toBe(3 * (4 + 3))
  })

  test('a request that the browser marks as cross-site is refused', async () => {
    const headers = { authorization: 'Bearer right', 'sec-fetch-site': 'cross-site' }
    expect((await send({ headers })).status).toBe(403)
  })

  test('the Unix socket needs no token', async () => {
    expect(await send({ socket: true })).toEqual({ status: 200, body: { name: 'a', as: 'socket' } })
  })

  test('an open route answers without a token, but not to another origin', async () => {
    expect((await send({ path: '/healthz' })).status).toBe(200)
    expect((await send({ path: '/healthz', headers: { origin: 'http://evil.example' } })).status).toBe(403)
  })
})

describe('bodies', () => {
  const post = (body: string | Buffer, headers = {}) => send({ method: 'POST', socket: true, body, headers })

  test.each([
    ['{"a":1,"a":2}', 400, /stands twice/],
    ['{"__proto__":1}', 400, /__proto__/],
    ['{', 400, /not JSON/],
    ['['.repeat(100), 400, /deeper than 64/],
  ])('%s', async (body, status, message) => {
    expect(await post(body)).toEqual({ status, body: { error: { status, message: expect.stringMatching(message) } } })
  })

  test('not UTF-8', async () => {
    expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      status: 400,
      body: { error: { message: 'The body is not UTF-8.' } },
    })
  })

  test('not JSON by its own word', async () => {
    expect((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  })

  test('too large', async () => {
    const result = await post(`"${'x'.repeat(17 * 1024 * 1024)}"`).catch(error => error.code)
    // The server may hang up before the whole body is sent.
    expect(['ECONNRESET', 'EPIPE', 413]).toContain(typeof result === 'string' ? result : result.status)
  })
})

test('a route for people takes the session of a page alone', async () => {
  const path = '/v1/person'
  const origin = `http://127.0.0.1:${door.port}`
  expect((await send({ socket: true, method: 'POST', path })).status).toBe(403)
  expect((await send({ method: 'POST', path, headers: { authorization: 'Bearer right' } })).status).toBe(403)
  expect((await send({ method: 'POST', path, headers: { cookie: 'belay_session=person', origin } })).status).toBe(200)
})

describe('what is not there', () => {
  test('an unknown path says where the list is', async () => {
    expect(await send({ socket: true, path: '/nothing' })).toEqual({
      status: 404,
      body: { error: { status: 404, message: 'There is nothing at /nothing; /openapi.json lists what there is.' } },
    })
  })

  test('a wrong method says which are right', async () => {
    expect((await send({ socket: true, method: 'DELETE' })).body).toEqual({
      error: { status: 405, message: '/v1/thing/a takes GET or POST.' },
    })
  })

  test('a bug is an answer and is reported', async () => {
    expect((await send({ socket: true, method: 'POST', path: '/v1/broken', body: '{}' })).status).toBe(500)
    expect(failures).toEqual([new Error('a bug')])
  })

  test('bytes that are no HTTP get 400 and nothing else happens', async () => {
    const answer = await new Promise<string>(resolve => {
      const socket = createConnection(socketPath, () => socket.end('\x00\x01garbage\r\n\r\n'))
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect((await send({ socket: true })).status).toBe(200)
  })
})
