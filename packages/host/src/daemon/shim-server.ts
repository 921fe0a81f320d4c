// shim.sock: a line of JSON in, a line of JSON out, in order. A connection that sends faster than it is served, or does not read its answers,
// is not read from until they are out: a flood waits in its own socket and not in our memory, and gets no more than its share of a turn.
// Calls of all connections begin together, after they were read (turn.ts).

import { createServer, type Server, type Socket } from 'node:net'
import { errorText } from '@belay/core/value'
import type { Decide, HookAnswer } from '../decision/hook-call.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from '../http/connection-limit.ts'
import type { LoadGate } from '../rpc/load-gate.ts'
import { createLineReader, type Line } from '../wire/line-reader.ts'
import { formatShimAnswer, formatShimBusy, parseShimFrame, type ShimFrame } from '../wire/shim-frame.ts'
import type { Turn } from './turn.ts'

const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Calls in progress before a connection is no longer read from. Connections that are busy at once share them. */
const MAX_PENDING = 64
/** Calls of one connection begun in one turn of the event loop, before others have theirs; shared too. */
const MAX_PER_TURN = 32
/** How often a client whose call takes long, because a person or a model is asked, hears a blank: silence means that the daemon hangs. */
const ALIVE_MS = 1000

export interface ShimServerOptions {
  readonly decide: Decide
  readonly gate: LoadGate
  readonly turn: Pick<Turn, 'add'>
  readonly limits?: ConnectionLimits
}

export interface ShimServer extends Server {
  /** Ends the connections of clients that stay. */
  closeConnections(): void
}

export function createShimServer(options: ShimServerOptions): ShimServer {
  /** How many calls of each connection wait or are in progress. */
  const open = new Map<Socket, () => number>()
  /** Connections with calls that wait or are in progress: however many flood, another call waits behind no more than one's worth. */
  const busy = new Set<Socket>()
  let connections = 0
  const server = createServer(socket => {
    const client = `connection ${++connections}`
    let isKnown = false
    socket.on('close', () => {
      open.delete(socket)
      busy.delete(socket)
    })
    // Connections belong to the session of their first call.
    const admit = (frame: ShimFrame): string | null => {
      if (isKnown) return null
      isKnown = limit.claim(socket, sessionOf(frame) ?? client)
      return isKnown ? null : 'this session has too many connections with calls in progress'
    }
    open.set(
      socket,
      serve(socket, { busy, turn: options.turn }, line => answerLine(options, { client, admit }, line)),
    )
  })
  const isBusy = (socket: Socket): boolean => (open.get(socket)?.() ?? 0) > 0
  const limit = limitConnections(server, { ...(options.limits ?? CONNECTION_LIMITS), isBusy, now: () => performance.now() })
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

interface Asking {
  readonly client: string
  /** Why its session is not served now. */
  admit(frame: ShimFrame): string | null
}

/** As agents call it; null: it has none. */
function sessionOf({ agentId, payload }: ShimFrame): string | null {
  const id = agentId ?? payload.session_id ?? payload.sessionId ?? payload.conversation_id
  return typeof id === 'string' ? id : null
}

function answerLine({ decide, gate }: ShimServerOptions, { client, admit }: Asking, line: Line): string | Promise<string> {
  if (line.kind !== 'line')
    return formatShimBusy(line.kind === 'too-long' ? `a frame is at most ${MAX_LINE_BYTES} bytes` : 'a frame is UTF-8')
  const parsed = parseShimFrame(line.text)
  if (!parsed.ok) return formatShimBusy(parsed.problem)
  const refused = admit(parsed.frame) ?? gate.enter(parsed.frame.agentId ?? client)
  if (refused !== null) return formatShimBusy(refused)
  let answer: HookAnswer | Promise<HookAnswer>
  try {
    answer = decide(parsed.frame)
  } catch (error) {
    answer = { kind: 'busy', why: whyFailed(error) }
  }
  if (answer instanceof Promise) return answer.then(formatAnswer, error => formatShimBusy(whyFailed(error))).finally(gate.leave)
  gate.leave()
  return formatAnswer(answer)
}

function formatAnswer(answer: HookAnswer): string {
  return answer.kind === 'busy' ? formatShimBusy(answer.why) : formatShimAnswer(answer)
}

function whyFailed(error: unknown): string {
  return `the daemon failed: ${errorText(error)}`
}

/** One call of a connection; null: not answered yet. */
interface Slot {
  text: string | null
}

interface Serving {
  readonly busy: Set<Socket>
  readonly turn: Pick<Turn, 'add'>
}

function serve(socket: Socket, { busy, turn }: Serving, answer: (line: Line) => string | Promise<string>): () => number {
  const reader = createLineReader(MAX_LINE_BYTES)
  const waiting: Line[] = []
  /** In the order of the calls, from the first that is not answered yet. */
  const slots: Slot[] = []
  /** Answers to those before them. */
  let due = ''
  let isEnding = false
  let isScheduled = false

  /** Its part of what all may have at once. */
  const share = (most: number): number => Math.max(1, Math.floor(most / Math.max(1, busy.size)))

  const part = { begin: beginSome, send: goOn }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    turn.add(part)
  }

  function beginSome(): void {
    isScheduled = false
    const mostPending = share(MAX_PENDING)
    const mostBegun = share(MAX_PER_TURN)
    for (let begun = 0; begun < mostBegun && slots.length < mostPending && !socket.writableNeedDrain; begun++) {
      const line = waiting.shift()
      if (line === undefined) break
      beginCall(line)
    }
  }

  /** Sends what is due, and sees to what waits. */
  function goOn(): void {
    send()
    if (waiting.length === 0 && slots.length === 0) busy.delete(socket)
    if (waiting.length === 0 && !socket.writableNeedDrain) {
      if (socket.isPaused()) socket.resume()
      return
    }
    socket.pause()
    // Whatever else it waits for ends here too.
    if (slots.length < share(MAX_PENDING) && !socket.writableNeedDrain) schedule()
  }

  function beginCall(line: Line): void {
    if (line.kind === 'too-long') isEnding = true
    const text = answer(line)
    if (typeof text === 'string') {
      if (slots.length === 0) due += text
      else slots.push({ text })
      return
    }
    const slot: Slot = { text: null }
    slots.push(slot)
    void text.then(late => {
      slot.text = late
      goOn()
    })
  }

  /** Every answer that is due, in one write. */
  function send(): void {
    for (let slot = slots[0]; slot !== undefined && slot.text !== null; slot = slots[0]) {
      due += slot.text
      slots.shift()
    }
    if (due === '') return
    if (!socket.destroyed) socket.write(due)
    due = ''
    if (isEnding && slots.length === 0) socket.end()
  }

  socket.on('data', chunk => {
    for (const line of reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) waiting.push(line)
    if (waiting.length === 0) return
    if (!socket.destroyed) busy.add(socket)
    if (waiting.length > share(MAX_PER_TURN)) socket.pause()
    schedule()
  })
  socket.on('drain', goOn)
  // A client that went away has nothing to be told; its call is decided and recorded all the same.
  socket.on('error', () => socket.destroy())
  return () => slots.length + waiting.length
}
