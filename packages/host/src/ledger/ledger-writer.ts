// Group commit: everything asked for within one turn of the event loop goes to disk in one transaction, and each promise settles after it.
// What nobody waits for is prepared and written a moment later, many at once: a commit holds up everything else for as long as the disk takes.
// Invariant: a resolved append is on disk; a rejected one was reported, and the head is read back from disk before the next batch.
import type { Entry } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type LedgerHead, readHead } from './ledger-head.ts'
import { createPlanner, type Request, type Sealing } from './plan-batch.ts'

export interface Written {
  readonly entry?: Entry
  /** The checkpoint made with this batch, if one was. */
  readonly checkpoint?: CheckpointRow
}

export interface LedgerWriter {
  /** In the order of the calls. A request may be made when its batch is. */
  write(request: Request | (() => Request), options?: { readonly isLazy?: boolean }): Promise<Written>
  /** As of the last batch on disk. */
  head(): Promise<LedgerHead>
}

export interface LedgerWriterOptions {
  readonly store: Store
  readonly sealing: () => Sealing
  readonly onCheckpoint: (checkpoint: CheckpointRow) => void
}

/** How long a lazy request waits for company, and how much of it. */
const LAZY_MS = 20
const LAZY_MOST = 256

interface Waiting {
  readonly request: Request | (() => Request)
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

export function createLedgerWriter({ store, sealing, onCheckpoint }: LedgerWriterOptions): LedgerWriter {
  const plan = createPlanner(store)
  let waiting: Waiting[] = []
  let isScheduled = false
  let lazy: NodeJS.Timeout | undefined
  let known: LedgerHead | undefined

  const flush = async (): Promise<void> => {
    const { batch, requests } = makeRequests(waiting)
    waiting = []
    clearTimeout(lazy)
    lazy = undefined
    try {
      known ??= await readHead(store)
      const planned = await plan(requests, known, sealing())
      if (planned.writes.length > 0) await store.commit(planned.writes)
      known = planned.head
      const { checkpoint } = planned
      for (const [i, item] of batch.entries()) {
        const entry = planned.entries[i]
        item.resolve({ ...(entry && { entry }), ...(checkpoint && { checkpoint }) })
      }
      if (checkpoint) onCheckpoint(checkpoint)
    } catch (error) {
      known = undefined
      for (const item of batch) item.reject(error)
    }
    isScheduled = false
    if (waiting.length > 0) schedule()
  }

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => void flush())
  }

  return {
    write: (request, { isLazy = false } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        if (!isLazy || waiting.length >= LAZY_MOST) schedule()
        else lazy ??= setTimeout(schedule, LAZY_MS)
      }),
    head: async () => {
      known ??= await readHead(store)
      return known
    },
  }
}

/** One that cannot be made fails alone. */
function makeRequests(waiting: readonly Waiting[]): { readonly batch: readonly Waiting[]; readonly requests: readonly Request[] } {
  const batch: Waiting[] = []
  const requests: Request[] = []
  for (const item of waiting) {
    try {
      requests.push(typeof item.request === 'function' ? item.request() : item.request)
      batch.push(item)
    } catch (error) {
      item.reject(error)
    }
  }
  return { batch, requests }
}
