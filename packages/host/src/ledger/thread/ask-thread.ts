// Requests to the thread that writes and their answers. Everything asked for in one turn of the event loop goes over in one message: each
// message wakes the other thread, and what comes together is written together.
import { type AppendBatch, type AppendDone, type AppendReply, addToBatch, type BatchDraft, failBatch, tellBatch } from './append-batch.ts'
import { type CallArguments, type CallName, type CallResult, OPENED, type Reply, type Request, reviveFailure } from './ledger-message.ts'

export interface Ask {
  <N extends CallName>(name: N, ...values: CallArguments<N>): Promise<CallResult<N>>
  /** The id by which a transaction is known from then on. */
  begin(): { readonly id: number; readonly begun: Promise<unknown> }
  /** An entry: written before all that is asked for after it. */
  append(draft: BatchDraft, timeMs: number, done: AppendDone): void
}

export interface Line {
  readonly ask: Ask
  /** Settles when the other side has opened the ledger, or could not. */
  readonly opened: Promise<unknown>
  /** Nobody will answer any more: what waits fails with it, and what is asked from now on. */
  cut(why: Error): void
}

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
  const append: Ask['append'] = (draft, timeMs, done) => {
    if (end) done({ ok: false, error: end })
    else addToBatch(outbox.openBatch() ?? beginBatch(), draft, timeMs, done)
  }
  const beginBatch = (): AppendBatch => {
    const id = ++lastId
    const batch: AppendBatch = { columns: [], told: [], bodies: [] }
    // Of a batch that is on its way no texts are kept: they would live until the disk has answered.
    const sent = { ...batch, columns: [] }
    waiting.set(id, {
      resolve: replies => tellBatch(sent, replies as readonly AppendReply[]),
      reject: error => failBatch(sent, error),
    })
    outbox.addBatch(batch, [id, 'appendBatch', batch.columns])
    return batch
  }
  return {
    ask: Object.assign(ask, { begin, append }) as Ask,
    opened,
    cut: why => {
      end = why
      for (const { reject } of waiting.values()) reject(why)
      waiting.clear()
    },
  }
}

interface Outbox {
  add(request: Request): void
  addBatch(batch: AppendBatch, request: Request): void
  /** Where another entry may join; null: something was asked for since, and stands before it. */
  openBatch(): AppendBatch | null
}

function createOutbox(port: Port): Outbox {
  let requests: Request[] = []
  let open: AppendBatch | null = null
  const flush = (): void => {
    const all = requests
    requests = []
    open = null
    port.postMessage(all)
  }
  const add = (request: Request, batch: AppendBatch | null): void => {
    open = batch
    if (requests.push(request) === 1) setImmediate(flush)
  }
  return {
    add: request => add(request, null),
    addBatch: (batch, request) => add(request, batch),
    openBatch: () => open,
  }
}
