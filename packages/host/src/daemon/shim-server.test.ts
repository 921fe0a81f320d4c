import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Decide } from '../decision/hook-call.ts'
import { createLoadGate, LOAD_LIMITS } from '../rpc/load-gate.ts'
import { createShimServer } from './shim-server.ts'
import { createTurn } from './turn.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-shim-server-'))
const path = join(folder, 'shim.sock')
let server: Server

afterEach(() => new Promise<void>(resolve => server.close(() => resolve())))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(decide: Decide, gate = createLoadGate(LOAD_LIMITS, Date.now)): Promise<void> {
  server = createShimServer({ decide, gate, turn: createTurn(() => performance.now()) })
  await new Promise<void>(resolve => server.listen(path, resolve))
}

/** Sends all lines at once on one connection and gives the answers in order. */
function talk(lines: readonly (string | Buffer)[], answers = lines.length): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(path, () => {
      for (const line of lines) socket.write(line)
    })
    socket.on('data', chunk => {
      text += chunk
      if (text.split('\n').length > answers) socket.end()
    })
    socket.on('close', () => resolve(text.trimEnd().split('\n')))
    socket.on('error', reject)
  })
}

const frame = (payload: unknown, more = '') => `{"agent":"codex","event":"Stop"${more},"payload":${JSON.stringify(payload)}}\n`
const say = (stdout: string) => ({ kind: 'answer', exit: 0, stdout, stderr: '' }) as const

test('answers come in the order of the calls, however long each takes', async () => {
  await start(async call => {
    await new Promise(resolve => setTimeout(resolve, Number(call.payload.wait)))
    return say(String(call.payload.wait))
  })
  const answers = await talk([frame({ wait: 30 }), frame({ wait: 0 }), frame({ wait: 10 })])
  expect(answers.map(line => JSON.parse(line).stdout)).toEqual(['30', '0', '10'])
})

test('5,000 calls on one connection are all answered, with a bounded number in progress', async () => {
  let most = 0
  let now = 0
  await start(async call => {
    most = Math.max(most, ++now)
    await new Promise(resolve => setImmediate(resolve))
    now--
    return say(String(call.payload.n))
  })
  const answers = await talk(Array.from({ length: 5000 }, (_, n) => frame({ n })))
  expect(answers.map(line => Number(JSON.parse(line).stdout))).toEqual(Array.from({ length: 5000 }, (_, n) => n))
  expect(most).toBeLessThanOrEqual(64)
})

test('twenty connections that flood share what one may have in progress, and all are answered', async () => {
  let most = 0
  let now = 0
  await start(async call => {
    most = Math.max(most, ++now)
    await new Promise(resolve => setImmediate(resolve))
    now--
    return say(String(call.payload.n))
  })
  const lines = Array.from({ length: 500 }, (_, n) => frame({ n }))
  const all = await Promise.all(Array.from({ length: 20 }, () => talk(lines)))
  expect(all.map(answers => answers.length)).toEqual(all.map(() => 500))
  // Each of them alone may have 64. Whoever came first begins with more than its part: 64, then a half, a third ...
  expect(most).toBeLessThanOrEqual(64 * 4)
})

test.each([
  ['not JSON', 'hello\n', /not JSON/],
  ['a doubled key', '{"agent":"a","agent":"b"}\n', /stands twice/],
  ['no payload', '{"agent":"a","event":"b"}\n', /payload/],
  ['bytes that are no UTF-8', Buffer.from([0xff, 10]), /UTF-8/],
])('%s is no decision: the client is told "not now" with the reason', async (_title, line, why) => {
  await start(async () => say('never'))
  const [answer] = await talk([line])
  expect(JSON.parse(answer ?? '').busy).toMatch(why)
})

test('a decision that throws is "not now", and the connection lives on', async () => {
  await start(async call => {
    if (call.payload.bad === true) throw new Error('a bug')
    return say('fine')
  })
  const answers = await talk([frame({ bad: true }), frame({})])
  expect(answers).toEqual(['{"busy":"the daemon failed: a bug"}', '{"exit":0,"stdout":"fine","stderr":""}'])
})

test('under overload the client that floods is refused first, another is served', async () => {
  const waiting: (() => void)[] = []
  await start(
    call =>
      new Promise(resolve => {
        const done = () => resolve(say('served'))
        if (call.agentId === 'flood') waiting.push(done)
        else done()
      }),
    // All of it happens within one second.
    createLoadGate({ maxInProgress: 3, fairRate: 5 }, () => 0),
  )
  const flood = talk(Array.from({ length: 10 }, () => frame({}, ',"agent-id":"flood"')))
  await expect.poll(() => waiting.length).toBe(5)
  const [other] = await talk([frame({}, ',"agent-id":"other"')])
  for (const done of waiting) done()
  expect(JSON.parse(other ?? '')).toMatchObject({ stdout: 'served' })
  const answers = await flood
  expect(answers.filter(line => line.startsWith('{"busy"')).length).toBe(5)
})

test('a client that goes away before its answer does not hurt the next', async () => {
  await start(async () => {
    await new Promise(resolve => setTimeout(resolve, 20))
    return say('late')
  })
  await new Promise<void>(resolve => {
    const socket = createConnection(path, () => {
      socket.write(frame({}))
      socket.destroy()
      resolve()
    })
  })
  expect(await talk([frame({})])).toEqual(['{"exit":0,"stdout":"late","stderr":""}'])
})
