// Clients that send faster than they are answered, half of them without reading their answers: what they send waits in their own sockets, the
// memory of the daemon is bounded, others are served meanwhile, and in the end every call has its answer or a reason. BELAY_TORTURE: for half a
// minute.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, FULL, randomCall, readDecision, SEED, startTortureDaemon, type TortureDaemon } from './fixtures/torture-daemon.ts'

const SECONDS = FULL ? 30 : 2
const CLIENTS = 20
/** Some calls write a whole file. */
const LARGE = 256 * 1024

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

interface Flood {
  readonly socket: Socket
  sent: number
  answers: number
  /** Neither an answer nor a refusal with a reason. */
  readonly strange: string[]
}

/** Sends as fast as its socket takes it, in an open loop, until it is told to stop. */
async function openFlood(index: number, isOver: () => boolean): Promise<Flood> {
  const random = createRandom(SEED + index)
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect(daemon.paths.shimSocket, () => resolve(made)).on('error', reject)
  })
  const flood: Flood = { socket, sent: 0, answers: 0, strange: [] }
  const send = () => {
    while (!isOver()) {
      const call = randomCall(random)
      const large = flood.sent % 50 === 49 ? { tool: 'Write', input: { file_path: 'src/large.ts', content: 'x'.repeat(LARGE) } } : call
      const frame = daemon.frame(large, { agent: `flood-${index}`, id: `flood-${index}-${flood.sent++}` })
      if (!socket.write(frame)) break
    }
  }
  socket.on('drain', send)
  send()
  return flood
}

function readAnswers(flood: Flood): void {
  let text = ''
  flood.socket.setEncoding('utf8')
  flood.socket.on('close', () => flood.strange.push('the connection ended'))
  flood.socket.on('data', (piece: string) => {
    text += piece
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const { exit, busy } = JSON.parse(line)
      if (typeof exit !== 'number' && !(typeof busy === 'string' && busy.length > 10)) flood.strange.push(line)
    }
    flood.answers += lines.length
  })
}

async function allAnswered(flood: Flood): Promise<void> {
  while (flood.answers < flood.sent && flood.strange.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
}

test(`${CLIENTS} clients that do not wait, for ${SECONDS} s, seed ${SEED}`, { timeout: SECONDS * 1000 + 240_000 }, async () => {
  const before = daemon.residentMegabytes()
  const until = performance.now() + SECONDS * 1000
  const isOver = () => performance.now() > until
  const floods = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => openFlood(index, isOver)))
  const [readers, others] = [floods.slice(CLIENTS / 2), floods.slice(0, CLIENTS / 2)]
  for (const flood of readers) readAnswers(flood)
  const random = createRandom(SEED)
  const quiet = await daemon.openShim()
  const wrong: unknown[] = []
  let most = 0
  for (let turn = 0; !isOver(); turn++) {
    const call = randomCall(random)
    const reply = await quiet.ask(daemon.frame(call, { agent: 'quiet', id: `quiet-${turn}` }))
    if (reply.busy !== undefined || readDecision(reply) !== daemon.expect(call)) wrong.push({ call, reply })
    most = Math.max(most, daemon.residentMegabytes())
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const held = daemon.residentMegabytes()
  for (const flood of others) readAnswers(flood)
  await Promise.all(floods.map(allAnswered))
  const sent = floods.reduce((sum, flood) => sum + flood.sent, 0)
  console.log(
    `${sent} calls; memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} at most, ${held.toFixed(0)} while they waited, ${daemon.residentMegabytes().toFixed(0)} after`,
  )
  const strange = floods.flatMap(flood => flood.strange)
  for (const { socket } of floods) socket.destroy()
  expect(wrong).toEqual([])
  expect(strange).toEqual([])
  expect(sent).toBeGreaterThan(CLIENTS)
  expect(Math.max(most, held, daemon.residentMegabytes())).toBeLessThan(500)
})
