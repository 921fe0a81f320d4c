// Requests that are no requests, on every door: the daemon neither falls nor grows, and judges the next call as ever.
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDaemon } from '../../wire/daemon-client.ts'
import {
  createRandom,
  FULL,
  randomCall,
  readDecision,
  readPid,
  SEED,
  startTortureDaemon,
  type TortureDaemon,
} from './fixtures/torture-daemon.ts'

const COUNT = FULL ? 100_000 : 3000

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

const TOKENS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '\u0000',
  '\ud800',
  'null',
  '1e999',
  '-',
  '\n',
  '\r\n',
  '{"a":',
  '"__proto__":',
  '\xff\xfe',
  '../',
  '%00',
  'Content-Length: -1',
]

/** A good request, broken in up to four places. */
function breakText(text: string, random: () => number): Buffer {
  const bytes = [...Buffer.from(text)]
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const at = Math.floor(random() * bytes.length)
    const kind = random()
    if (kind < 0.3) bytes[at] = Math.floor(random() * 256)
    else if (kind < 0.5) bytes.splice(at, 1 + Math.floor(random() * 20))
    else if (kind < 0.8) bytes.splice(at, 0, ...Buffer.from(TOKENS[Math.floor(random() * TOKENS.length)] ?? ''))
    else bytes.length = at
  }
  return Buffer.from(bytes)
}

function good(kind: number, random: () => number, turn: number): { socket: string; text: string } {
  const frame = daemon.frame(randomCall(random), { agent: 'broken', id: `broken-${turn}` })
  if (kind === 0) return { socket: daemon.paths.shimSocket, text: frame }
  const rpc = JSON.stringify({
    jsonrpc: '2.0',
    id: turn,
    method: ['fleet.list', 'agent.show', 'session.usage', 'effort.start', 'nothing'][turn % 5],
    params: { id: 'x', sessionId: turn, usage: 'y' },
  })
  const [path, body] = kind === 1 ? ['/v1/rpc', rpc] : ['/v1/hooks/claude-code/PreToolUse', JSON.stringify(JSON.parse(frame).payload)]
  return {
    socket: daemon.paths.socket,
    text: `POST ${path} HTTP/1.1\r\nhost: belay\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  }
}

/** Sends, and goes away after the first answer or the end: what comes back does not matter here. */
function sendBytes(socket: string, bytes: Buffer): Promise<void> {
  return new Promise(resolve => {
    const connection = connect(socket, () => connection.end(bytes))
    connection.once('data', () => connection.destroy())
    connection.on('error', () => connection.destroy())
    connection.on('close', () => resolve())
  })
}

/** Bodies that reach the routes whole: only their content is broken. */
function sendBody(path: string, body: Buffer): Promise<number> {
  return new Promise(resolve => {
    const sent = request(
      { socketPath: daemon.paths.socket, method: 'POST', path, headers: { 'content-type': 'application/json' } },
      response => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', () => resolve(0))
      },
    )
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

test(`${COUNT} broken requests, seed ${SEED}`, { timeout: 300_000 + COUNT * 20 }, async () => {
  const random = createRandom(SEED)
  const statuses = new Set<number>()
  const memory: number[] = []
  for (let turn = 0; turn < COUNT; turn += 32) {
    await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const kind = (turn + index) % 4
        const { socket, text } = good(kind === 3 ? 1 : kind, random, turn + index)
        if (kind !== 3) return sendBytes(socket, breakText(text, random))
        statuses.add(await sendBody('/v1/rpc', breakText(text.slice(text.indexOf('\r\n\r\n') + 4), random)))
      }),
    )
    if (turn % 320 === 0) memory.push(daemon.residentMegabytes())
  }
  console.log(`memory ${memory[0]?.toFixed(0)} to ${memory.at(-1)?.toFixed(0)} MB; statuses ${[...statuses].sort().join(' ')}`)
  expect(readPid(daemon.paths)).toBe(daemon.pid)
  const client = await daemon.openShim()
  const call = { tool: 'Bash', input: { command: 'rm -rf /' } }
  expect(readDecision(await client.ask(daemon.frame(call, { agent: 'after', id: 'after' })))).toBe('deny')
  client.close()
  const metrics = await askDaemon({ socket: daemon.paths.socket, method: 'GET', path: '/metrics' })
  expect(metrics).toMatchObject({ kind: 'answer', status: 200 })
  expect('value' in metrics && /belay_calls_in_progress 0\n/.test(String(metrics.value))).toBe(true)
  // The heap breathes, by a quarter and more: only what is usual at the end tells a leak.
  const quarter = (n: number) => median(memory.slice((memory.length * n) / 4, (memory.length * (n + 1)) / 4))
  if (FULL) expect(quarter(3)).toBeLessThan(quarter(2) * 1.2)
})
