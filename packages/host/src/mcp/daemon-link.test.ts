// The kept connection against a real daemon, and against servers that break off.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createDaemonLink } from './daemon-link.ts'

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

test('calls one after another, at once, refused ones, and after a restart of the daemon', async () => {
  const daemon = await runDaemon({ policy: 'version: "2.0"\n' })
  const link = createDaemonLink(daemon.paths.socket)
  const list = () => link.post('/v1/rpc', rpc('approvals.list'))
  const empty = { kind: 'answer', status: 200, value: { jsonrpc: '2.0', id: 1, result: { requests: [] } } }
  expect([await list(), await list()]).toEqual([empty, empty])
  expect(await Promise.all([list(), list(), list()])).toEqual([empty, empty, empty])
  expect(await link.post('/v1/rpc', rpc('no.such'))).toMatchObject({ kind: 'answer', value: { error: { code: -32601 } } })
  expect(await link.post('/nothing', {})).toMatchObject({ kind: 'answer', status: 404 })
  expect(await list()).toEqual(empty)
  await daemon.restart()
  expect(await list()).toEqual(empty)
  await daemon.stop()
  expect(await list()).toEqual({ kind: 'absent' })
})

let server: Server | null = null
afterEach(() => void server?.close())

test.each([
  ['nothing', '', { kind: 'failed', why: 'the daemon closed the connection' }],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{}', { kind: 'failed', why: 'the daemon closed the connection' }],
  ['no length', 'HTTP/1.1 200 OK\r\n\r\n{}', { kind: 'failed', why: 'the daemon gave no length' }],
  ['no JSON', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi', { kind: 'failed', why: expect.stringContaining('JSON') }],
])('a server that says %s', async (_what, said, answer) => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-link-'))
  const path = join(folder, 'daemon.sock')
  let asked = 0
  server = createServer(socket =>
    socket.once('data', () => {
      asked++
      socket.end(said)
    }),
  )
  await new Promise<void>(resolve => server?.listen(path, resolve))
  expect(await createDaemonLink(path).post('/v1/rpc', rpc('x'))).toEqual(answer)
  expect(asked).toBe(1)
  rmSync(folder, { recursive: true })
})
