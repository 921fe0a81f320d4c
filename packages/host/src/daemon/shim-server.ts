// shim.sock: a line of JSON in, a line of JSON out, in order. A connection that sends faster than it is served is not read from
// until its answers are out, so that a flood waits in its own socket and not in our memory.
import { createServer, type Server, type Socket } from 'node:net'
import { createLineReader, type Line } from '../wire/line-reader.ts'
import { formatShimAnswer, formatShimBusy, parseShimFrame } from '../wire/shim-frame.ts'
import type { Decide } from './hook-call.ts'
import type { LoadGate } from './load-gate.ts'

const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Calls of one connection in progress before it is no longer read from. */
const MAX_PENDING = 64
/** How often a client whose call takes long, because a person or a model is asked, hears a blank: silence means that the daemon hangs. */
const ALIVE_MS = 1000

export interface ShimServerOptions {
  readonly decide: Decide
  readonly gate: LoadGate
}

export interface ShimServer extends Server {
  /** Ends the connections of clients that stay. */
  closeConnections(): void
}

export function createShimServer({ decide, gate }: ShimServerOptions): ShimServer {
  /** How many calls of each connection are in progress. */
  const open = new Map<Socket, () => number>()
  let connections = 0
  const server = createServer(socket => {
    const client = `connection ${++connections}`
    socket.on('close', () => open.delete(socket))
    const pending = serve(socket, async line => {
      if (line.kind !== 'line')
        return formatShimBusy(line.kind === 'too-long' ? `a frame is at most ${MAX_LINE_BYTES} bytes` : 'a frame is UTF-8')
      const parsed = parseShimFrame(line.text)
      if (!parsed.ok) return formatShimBusy(parsed.problem)
      const refused = gate.enter(parsed.frame.agentId ?? client)
      if (refused !== null) return formatShimBusy(refused)
      try {
        const answer = await decide(parsed.frame)
        return answer.kind === 'busy' ? formatShimBusy(answer.why) : formatShimAnswer(answer)
      } finally {
        gate.leave()
      }
    })
    open.set(socket, pending)
  })
  const alive = setInterval(() => {
    for (const [socket, pending] of open) if (pending() > 0 && !socket.destroyed) socket.write(' ')
  }, ALIVE_MS).unref()
  server.on('close', () => clearInterval(alive))
  return Object.assign(server, {
    closeConnections() {
      for (const socket of open.keys()) socket.destroy()
    },
  })
}

function serve(socket: Socket, answer: (line: Line) => Promise<string>): () => number {
  const reader = createLineReader(MAX_LINE_BYTES)
  const waiting: Line[] = []
  let pending = 0
  let order: Promise<void> = Promise.resolve()

  function pump(): void {
    while (pending < MAX_PENDING) {
      const line = waiting.shift()
      if (line === undefined) break
      pending++
      const answered = answer(line)
      order = order.then(() => finish(line, answered))
    }
    if (waiting.length > 0) socket.pause()
    else if (!socket.destroyed) socket.resume()
  }

  async function finish(line: Line, answered: Promise<string>): Promise<void> {
    const text = await answered.catch(error =>
      formatShimBusy(`the daemon failed: ${error instanceof Error ? error.message : String(error)}`),
    )
    pending--
    if (!socket.destroyed) socket.write(text)
    if (line.kind === 'too-long') socket.end()
    else pump()
  }

  socket.on('data', chunk => {
    waiting.push(...reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    pump()
  })
  // A client that went away has nothing to be told; its call is decided and recorded all the same.
  socket.on('error', () => socket.destroy())
  return () => pending
}
