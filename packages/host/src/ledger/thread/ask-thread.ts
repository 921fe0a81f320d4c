// Requests to the thread that writes and their answers. Everything asked for in one turn of the event loop goes over in one message; what
// nobody waits for may wait a moment longer, for company: each message wakes the other thread and ends in a write to disk.
import { type CallArguments, type CallName, type CallResult, OPENED, type Reply, type Request, reviveFailure } from './ledger-message.ts'

export interface Ask {
  <N extends CallName>(how: { readonly isLazy?: boolean }, name: N, ...values: CallArguments<N>): Promise<CallResult<N>>
  /** The id by which a transaction is known from then on. */
  begin(): { readonly id: number; readonly begun: Promise<unknown> }
}

export interface Line {
  readonly ask: Ask
  /** Settles when the other side has opened the ledger, or could not. */
  readonly opened: Promise<unknown>
  /** Nobody will answer any more: what waits fails with it, and what is asked from now on. */
  cut(why: Error): void
}

/** How long lazy requests wait, and how many of them. */
const LAZY_MS = 20
const LAZY_MOST = 256

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
  const outbox = createOutbox(requests => port.postMessage(requests))
  let lastId = OPENED
  let end: Error | undefined

  const opened = new Promise((resolve, reject) => waiting.set(OPENED, { resolve, reject }))

  const send = (make: (id: number) => Request, isLazy: boolean): { id: number; answer: Promise<unknown> } => {
    const id = ++lastId
    const answer = new Promise((resolve, reject) => {
      if (end) {
        reject(end)
        return
      }
      waiting.set(id, { resolve, reject })
      outbox.add(make(id), isLazy)
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

  const ask = ({ isLazy = false }, name: CallName, ...values: unknown[]) =>
    send(id => [id, name, ...values] as unknown as Request, isLazy).answer
  const begin = () => {
    const { id, answer } = send(own => [own, 'begin'], false)
    return { id, begun: answer }
  }
  return {
    ask: Object.assign(ask, { begin }) as Ask,
    opened,
    cut: why => {
      end = why
      for (const { reject } of waiting.values()) reject(why)
      waiting.clear()
    },
  }
}

function createOutbox(post: (requests: readonly Request[]) => void): { add(request: Request, isLazy: boolean): void } {
  let requests: Request[] = []
  let lazy: NodeJS.Timeout | undefined
  let isScheduled = false
  const flush = (): void => {
    clearTimeout(lazy)
    lazy = undefined
    isScheduled = false
    const batch = requests
    requests = []
    if (batch.length > 0) post(batch)
  }
  return {
    add: (request, isLazy) => {
      requests.push(request)
      if (isScheduled) return
      if (isLazy && requests.length < LAZY_MOST) {
        lazy ??= setTimeout(flush, LAZY_MS)
      } else {
        isScheduled = true
        setImmediate(flush)
      }
    },
  }
}
