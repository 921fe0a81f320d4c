// Folders and sockets as another user of the machine could have made them, on a real file system. What such a user himself does is in
// shim/other-user.system.test.ts.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listenOnSocket } from '../daemon/listen.ts'
import { createDaemonLink } from '../mcp/daemon-link.ts'
import { askShimSocket } from '../shim/ask-shim-socket.ts'
import { askDaemon } from '../wire/daemon-client.ts'
import { followEvents } from '../wire/follow-events.ts'
import { quickCall } from '../wire/quick-call.ts'
import { takeOwnFolder, whyNotOurSocket } from './own-folder.ts'

let place: string
let folder: string
let path: string
let server: Server
let heard: string[]

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'belay-own-'))
  folder = join(place, 'run')
  path = join(folder, 'shim.sock')
  heard = []
  server = createServer(socket => {
    heard.push('somebody came')
    socket.on('data', piece => heard.push(String(piece)))
    socket.on('error', () => socket.destroy())
    socket.end()
  })
})
afterEach(async () => {
  await new Promise(resolve => server.close(resolve))
  rmSync(place, { recursive: true, force: true })
})

const listen = (): Promise<void> => new Promise(resolve => server.listen(path, resolve))

/** What was planted, and what is said of it. */
const PLANTED: readonly (readonly [string, () => void | Promise<void>, RegExp])[] = [
  [
    'the folder is a link',
    () => {
      mkdirSync(join(place, 'elsewhere'), { mode: 0o700 })
      symlinkSync(join(place, 'elsewhere'), folder)
    },
    /run is a link/,
  ],
  ['everybody may write there', () => makeOpen(0o777), /open to other users \(mode 777\)/],
  ['everybody may look there', () => makeOpen(0o755), /open to other users \(mode 755\)/],
  ['the group may connect there', () => makeOpen(0o710), /open to other users \(mode 710\)/],
  [
    'others can exchange the folder',
    () => {
      mkdirSync(folder, { mode: 0o700 })
      chmodSync(place, 0o777)
    },
    /other users can exchange what is in .*belay-own-/,
  ],
]

function makeOpen(mode: number): void {
  mkdirSync(folder)
  chmodSync(folder, mode)
}

describe.each(PLANTED)('%s', (_name, plant, why) => {
  beforeEach(async () => {
    await plant()
    await listen()
  })

  test('no client sends anything', async () => {
    expect(whyNotOurSocket(path)).toMatch(why)
    expect(await askShimSocket(path, '{"secret":"x"}\n', 5000)).toBeNull()
    expect(await askDaemon({ socket: path, method: 'GET', path: '/' })).toEqual({ kind: 'failed', why: expect.stringMatching(why) })
    expect(await createDaemonLink(path).post('/', {})).toEqual({ kind: 'failed', why: expect.stringMatching(why) })
    expect(await quickCall({ socket: path, method: 'x', params: {}, timeoutMs: 5000 })).toBeNull()
    await followEvents({ socket: path, types: [], signal: new AbortController().signal, onOpen: () => undefined, onEvent: () => undefined })
    expect(heard).toEqual([])
  })
})

test.each<[string, () => void, RegExp]>([
  ['a link', () => symlinkSync(place, folder), /is a link/],
  ['a file', () => writeFileSync(folder, ''), /is not a folder/],
])('the daemon does not listen where there is %s', async (_name, plant, why) => {
  plant()
  expect(await listenOnSocket(server, path)).toEqual({ ok: false, why: expect.stringMatching(why) })
})

test('in a shared directory a folder of ours that others could write to is refused, and left as it is', async () => {
  chmodSync(place, 0o1777)
  makeOpen(0o777)
  expect(await listenOnSocket(server, path)).toEqual({ ok: false, why: expect.stringMatching(/open to other users/) })
  expect(statSync(folder).mode & 0o777).toBe(0o777)
})

test('under a home of ours it is closed to others, and used', () => {
  makeOpen(0o755)
  expect(takeOwnFolder(folder)).toBeNull()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('something else in the place of the socket is not spoken to', () => {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(path, '')
  expect(whyNotOurSocket(path)).toMatch(/is not a socket/)
  rmSync(path)
  symlinkSync('/dev/log', path)
  expect(whyNotOurSocket(path)).toMatch(/is not a socket/)
})

test('what is ours, and what is not there, may be asked', async () => {
  expect(whyNotOurSocket(path)).toBeNull()
  expect(await listenOnSocket(server, path)).toEqual({ ok: true })
  expect([existsSync(path), whyNotOurSocket(path)]).toEqual([true, null])
  await askShimSocket(path, 'x\n', 5000)
  expect(heard[0]).toBe('somebody came')
})
