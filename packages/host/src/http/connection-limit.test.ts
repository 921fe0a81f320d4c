// Thousands of connections on real sockets, silent ones, ones that hang and ones of a single session: whoever comes now is served.
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createShimServer, type ShimServer } from '../daemon/shim-server.ts'
import { createTurn } from '../daemon/turn.ts'
import type { Decide } from '../decision/hook-call.ts'
import { createLoadGate, LOAD_LIMITS } from '../rpc/load-gate.ts'
import { askDaemon } from '../wire/daemon-client.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limit.ts'
import { createHttpServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-limit-'))
const path = join(folder, 'shim.sock')
const opened: Socket[] = []
let server: ShimServer | null = null

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  server?.closeConnections()
  await new Promise<void>(resolve => (server === null ? resolve() : server.close(() => resolve())))
  server = null
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(decide: Decide, limits: Partial<ConnectionLimits> = {}): Promise<ShimServer> {
  const made = createShimServer({
    decide,
    gate: createLoadGate(LOAD_LIMITS, Date.now),
    turn: createTurn(() => performance.now()),
    limits: { ...CONNECTION_LIMITS, ...limits },
  })
  server = made
  await new Promise<void>(resolve => made.listen(path, resolve))
  return made
}

interface Client {
  readonly socket: Socket
  readonly said: Promise<string>
}

/** Resolves when it is connected; `said` when the other side has closed or said a line. */
function open(line = '', to = path): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(to)
    opened.push(socket)
    let text = ''
    const said = new Promise<string>(done => {
      socket.on('data', piece => {
        text += piece
        if (text.includes('\n')) done(text)
      })
      socket.on('close', () => done(text))
      socket.on('error', () => done(text))
    })
    socket.on('connect', () => {
      if (line !== '') socket.write(line)
      resolve({ socket, said })
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // So many wait at the door that nobody else may.
      if (error.code === 'EAGAIN') setTimeout(() => open(line, to).then(resolve, reject), 20)
      else reject(error)
    })
  })
}

const count = (made: ShimServer): Promise<number> =>
  new Promise((resolve, reject) => made.getConnections((error, n) => (error ? reject(error) : resolve(n))))
const frame = (session: string) => `{"agent":"codex","event":"Stop","payload":{"session_id":"${session}"}}\n`
const say: Decide = () => ({ kind: 'answer', exit: 0, stdout: 'yes', stderr: '' })
/** Answers only when it is told to. */
function hanging(): { readonly decide: Decide; arrived(): number; release(): void } {
  const waiting: (() => void)[] = []
  const decide: Decide = () => new Promise(resolve => waiting.push(() => resolve({ kind: 'answer', exit: 0, stdout: 'late', stderr: '' })))
  const release = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  return { decide, arrived: () => waiting.length, release }
}

describe('shim.sock', () => {
  test('5,000 silent connections: the oldest go, and a call is answered', async () => {
    const made = await start(say)
    for (let batch = 0; batch < 50; batch++) await Promise.all(Array.from({ length: 100 }, () => open()))
    expect(await count(made)).toBeLessThanOrEqual(CONNECTION_LIMITS.most + 100)
    expect(await (await open(frame('s'))).said).toContain('yes')
    await expect.poll(() => count(made)).toBeLessThanOrEqual(CONNECTION_LIMITS.most)
  })

  test('one on which nothing moves is closed, one whose call is in progress is not', async () => {
    const { decide, release } = hanging()
    await start(decide, { idleMs: 400 })
    const [silent, waiting] = [await open(), await open(frame('s'))]
    expect(await silent.said).toBe('')
    expect(waiting.socket.destroyed).toBe(false)
    release()
    expect(await waiting.said).toContain('late')
  })

  test('calls in progress are not closed for others: whoever is one too many judges alone', async () => {
    const { decide, arrived, release } = hanging()
    await start(decide, { most: 3 })
    const waiting = await Promise.all(['a', 'b', 'c'].map(session => open(frame(session))))
    await expect.poll(arrived).toBe(3)
    expect(await (await open()).said).toBe('')
    release()
    expect(await Promise.all(waiting.map(({ said }) => said))).toEqual(Array(3).fill(expect.stringContaining('late')))
  })

  test('one session has its share: beyond it calls are "not now", and other sessions are served', async () => {
    const { decide, arrived, release } = hanging()
    await start(decide, { mostOfSession: 5 })
    const waiting = await Promise.all(Array.from({ length: 5 }, () => open(frame('greedy'))))
    await expect.poll(arrived).toBe(5)
    expect(await (await open(frame('greedy'))).said).toMatch(/"busy":"this session has too many connections/)
    const other = await open(frame('modest'))
    await expect.poll(arrived).toBe(6)
    release()
    expect(await other.said).toContain('late')
    expect(await Promise.all(waiting.map(({ said }) => said))).toEqual(Array(5).fill(expect.stringContaining('late')))
  })
})

test('daemon.sock and the port: silent connections make room for a request', async () => {
  const secrets = { token: 'x'.repeat(40), checkSession: () => 'unknown' as const }
  const route = {
    method: 'GET' as const,
    path: '/x',
    open: true,
    summary: 'for a test',
    run: ({ response }: { response: { end(text: string): void } }) => response.end('{}'),
  }
  const http = createHttpServer({
    routes: [route],
    door: { kind: 'unix', port: 0 },
    secrets,
    userOf: () => 'anyone',
    limits: { ...CONNECTION_LIMITS, most: 10 },
    onFailure: error => expect(error).toBeUndefined(),
  })
  const socket = join(folder, 'daemon.sock')
  await new Promise<void>(resolve => http.listen(socket, resolve))
  const silent = await Promise.all(Array.from({ length: 10 }, () => open('', socket)))
  expect(await askDaemon({ socket, method: 'GET', path: '/x' })).toMatchObject({ kind: 'answer', status: 200 })
  expect(silent.filter(({ socket: each }) => each.destroyed).length).toBeLessThanOrEqual(2)
  for (const { socket: each } of silent) each.destroy()
  http.closeAllConnections()
  await new Promise(resolve => http.close(resolve))
})
