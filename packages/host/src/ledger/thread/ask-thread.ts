// Requests to the thread that writes and their answers. Everything asked for in one turn of the event loop goes over in one message; what
// nobody waits for may wait a moment longer, for company: each message wakes the other thread and ends in a write to disk.
import { addLate, failLate, type LateColumn, type LateDone, type LateDraft, type LateReply, tellLate } from './late-append.ts'
import { type CallArguments, type CallName, type CallResult, OPENED, type Reply, type Request, reviveFailure } from './ledger-message.ts'

export interface Ask {
  <N extends CallName>(name: N, ...values: CallArguments<N>): Promise<CallResult<N>>
  /** The id by which a transaction is known from then on. */
  begin(): { readonly id: number; readonly begun: Promise<unknown> }
  /** An entry that nobody waits for: written with others, and before all that is asked for after it. */
  later(draft: LateDraft, timeMs: number, done: LateDone): void
  /** Somebody waits for them after all. */
  hurry(): void
}

export interface Line {
  readonly ask: Ask
  /** Settles when the other side has opened the ledger, or could not. */
  readonly opened: Promise<unknown>
  /** Nobody will answer any more: what waits fails with it, and what is asked from now on. */
  cut(why: Error): void
}

/** How long late entries wait for company, and how many of them. */
const LATE_MS = 4
const LATE_MOST = 256

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A thread, or one end of a channel. */
export interface Port {
  postMessage(requests: readonly Request[]): void
  on(event: 'message', listener: (replies: readonly Reply[]) => void): unknown
}

export function openLine(port: Port, onWarning: (message: string) => void): Line {
  const waiting = new Map<number, Waiting>()
  const outbox = createOutbox(port)
  let lastId = OPENED
  let end: Error | undefined

  const opened = new Promise((resolve, reject) => waiting.set(OPENED, { resolve, reject }))

  const send = (make: (id: number) => Request): { id: number; answer: Promise<unknown> } => {
    const id = ++lastId
    const answer = new Promise((resolve, reject) => {
      if (end) {
        reject(end)
        return
      }
      waiting.set(id, { resolve, reject })
      outbox.add(make(id))
    })
    return { id, answer }
  }

  port.on('message', replies => {
    for (const [id, value, failure] of replies) {
      if (id === null) {
        onWarning(String(value))
        continue
      }
      const asked = waiting.get(id)
      waiting.delete(id)
      if (failure) asked?.reject(reviveFailure(failure))
      else asked?.resolve(value)
    }
  })

  const ask = (name: CallName, ...values: unknown[]) => send(id => [id, name, ...values] as unknown as Request).answer
  const begin = () => {
    const { id, answer } = send(own => [own, 'begin'])
    return { id, begun: answer }
  }
  const later: Ask['later'] = (draft, timeMs, done) => {
    if (end) {
      done({ ok: false, error: end })
      return
    }
    const batch = outbox.openLate() ?? beginLate()
    addLate(batch.columns, draft, timeMs)
    batch.told.push(done)
  }
  const beginLate = (): LateBatch => {
    const id = ++lastId
    // Of a batch that is on its way nothing is kept but who is to be told: its texts would live until the disk has answered.
    const told: LateDone[] = []
    const columns: LateColumn[] = []
    waiting.set(id, {
      resolve: replies => tellLate(told, replies as readonly LateReply[]),
      reject: error => failLate(told, error),
    })
    const batch = { columns, told }
    outbox.addLate(batch, [id, 'appendLate', columns])
    return batch
  }
  return {
    ask: Object.assign(ask, { begin, later, hurry: outbox.hurry }) as Ask,
    opened,
    cut: why => {
      end = why
      for (const { reject } of waiting.values()) reject(why)
      waiting.clear()
    },
  }
}

/** One message of entries that nobody waits for, still open for more. */
interface LateBatch {
  readonly columns: LateColumn[]
  readonly told: LateDone[]
}

interface Outbox {
  add(request: Request): void
  addLate(batch: LateBatch, request: Request): void
  /** Everything goes with the end of this turn. */
  hurry(): void
  /** Where another late entry may join; null: something was asked for since, and stands before it. */
  openLate(): LateBatch | null
}

function createOutbox(port: Port): Outbox {
  let requests: Request[] = []
  let open: LateBatch | null = null
  let timer: NodeJS.Timeout | undefined
  let isScheduled = false
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    open = null
    isScheduled = false
    const batch = requests
    requests = []
    if (batch.length > 0) port.postMessage(batch)
  }
  const hurry = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush)
  }
  return {
    add(request) {
      requests.push(request)
      open = null
      hurry()
    },
    addLate(batch, request) {
      requests.push(request)
      open = batch
      timer ??= setTimeout(flush, LATE_MS)
    },
    hurry,
    openLate() {
      if (open !== null && open.told.length >= LATE_MOST) flush()
      return open
    },
  }
}
