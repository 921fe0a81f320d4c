import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { askDaemon } from '../wire/daemon-client.ts'
import { runPaths } from '../wire/run-paths.ts'
import { ensureToken, listenOnLoopback, listenOnSocket } from './listen.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-listen-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('the socket and its folder belong to their owner alone, and a socket left behind is replaced', async () => {
  const path = join(folder, 'a', 'daemon.sock')
  mkdirSync(join(folder, 'a'), { mode: 0o755 })
  writeFileSync(path, 'left behind')
  const server = createServer((_request, response) => response.end('{"up":true}'))
  expect(await listenOnSocket(server, path)).toEqual({ ok: true })
  expect([mode(join(folder, 'a')), mode(path)]).toEqual(['700', '600'])
  expect(await askDaemon({ socket: path, method: 'GET', path: '/' })).toEqual({ kind: 'answer', status: 200, value: { up: true } })
  server.close()
})

test('without a daemon the answer is "absent"', async () => {
  expect(await askDaemon({ socket: join(folder, 'nothing.sock'), method: 'GET', path: '/' })).toEqual({ kind: 'absent' })
})

test('a daemon that hangs is a failure with its limit', async () => {
  const path = join(folder, 'b', 'daemon.sock')
  const server = createServer(() => undefined)
  await listenOnSocket(server, path)
  expect(await askDaemon({ socket: path, method: 'GET', path: '/', timeoutMs: 50 })).toEqual({
    kind: 'failed',
    why: 'no answer within 50 ms',
  })
  server.closeAllConnections()
  server.close()
})

test('a taken port is passed over, unless it was asked for', async () => {
  const first = createServer()
  const second = createServer()
  const third = createServer()
  const taken = await listenOnLoopback(first, { asked: 0 })
  if (!('port' in taken)) throw new Error(taken.why)
  expect(await listenOnLoopback(second, { asked: taken.port })).toEqual({
    why: `cannot listen on 127.0.0.1:${taken.port}: EADDRINUSE; without --port the next free one is taken`,
  })
  const found = await listenOnLoopback(third, { asked: null })
  expect(found).toEqual({ port: expect.any(Number) })
  for (const server of [first, third]) server.close()
})

test.each(['a link to a file', 'a link to nothing', 'a link to a token', 'a folder'])(
  'a token that is %s is another file after it',
  what => {
    const place = mkdtempSync(join(folder, 'led-'))
    const [path, elsewhere] = [join(place, 'token'), join(place, 'elsewhere')]
    const before = what === 'a link to a token' ? 'x'.repeat(43) : 'before'
    if (what !== 'a link to nothing') writeFileSync(elsewhere, before)
    if (what === 'a folder') mkdirSync(path)
    else symlinkSync(elsewhere, path)
    const token = ensureToken(path)
    expect(token).not.toBe(before)
    expect([lstatSync(path).isFile(), readFileSync(path, 'utf8').trim(), mode(path)]).toEqual([true, token, '600'])
    expect(existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8') : null).toBe(what === 'a link to nothing' ? null : before)
  },
)

test('the token is made once, and only its owner can read it', () => {
  const path = join(folder, 'c', 'token')
  const token = ensureToken(path)
  chmodSync(path, 0o644)
  expect([ensureToken(path), mode(path), readFileSync(path, 'utf8').trim()]).toEqual([token, '600', token])
  expect(token.length).toBeGreaterThan(40)
})

test('a deep home gets short socket paths', () => {
  const deep = `/home/${'x'.repeat(120)}/.belay`
  expect(Buffer.byteLength(runPaths(deep, {}).shimSocket)).toBeLessThanOrEqual(103)
  expect(runPaths(deep, { XDG_RUNTIME_DIR: '/run/user/1' }).socket).toMatch(/^\/run\/user\/1\/belay-[0-9a-f]{12}\/daemon\.sock$/)
  expect(runPaths('/home/a/.belay', {}).socket).toBe('/home/a/.belay/run/daemon.sock')
})
