// Group commit: everything asked for within one turn of the event loop goes to disk in one transaction, and each promise settles after it.
// Invariant: a resolved append is on disk; a rejected one was reported, and the head is read back from disk before the next batch.
import type { Entry } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import { isTaken } from '../store/store-error.ts'
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type FormBook, readFormBook } from './form-book.ts'
import { type LedgerHead, readHead } from './ledger-head.ts'
import { createPlanner, type Delivered, type Plan, type Request, type Sealing } from './plan-batch.ts'

export interface Written {
  /** One for each request; undefined for those without an entry. */
  readonly entries: readonly (Entry | undefined)[]
  /** The checkpoint made with this batch, if one was. */
  readonly checkpoint: CheckpointRow | undefined
}

export interface LedgerWriter {
  /** In the order of the calls. What is given together is written together. */
  write(requests: readonly Request[]): Promise<Written>
  /** The same for those who have a promise of their own already: there is one for each record. */
  enqueue(requests: readonly Request[], resolve: (written: Written) => void, reject: (error: unknown) => void): void
  /** As of the last batch on disk. */
  head(): Promise<LedgerHead>
}

export interface LedgerWriterOptions {
  readonly store: Store
  readonly sealing: () => Sealing
  readonly onCheckpoint: (checkpoint: CheckpointRow) => void
}

/** Of what is on disk: read once, and again after every failure. */
interface Known {
  readonly head: LedgerHead
  readonly book: FormBook
}

async function readKnown(store: Store): Promise<Known> {
  return { head: await readHead(store), book: await readFormBook(store) }
}

interface Waiting {
  readonly requests: readonly Request[]
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

export function createLedgerWriter({ store, sealing, onCheckpoint }: LedgerWriterOptions): LedgerWriter {
  const { plan, findDelivered } = createPlanner(store)
  let waiting: Waiting[] = []
  let isScheduled = false
  let known: Known | undefined

  /** Events hardly ever come twice, so they are looked for only when the database has refused one: looking takes as long as writing. */
  const commit = async (requests: readonly Request[], before: Known): Promise<Plan> => {
    try {
      return await save(requests, before)
    } catch (error) {
      const delivered = isTaken(error) ? await findDelivered(requests) : undefined
      if (!delivered?.size) throw error
      return save(requests, before, delivered)
    }
  }

  const save = async (requests: readonly Request[], { head, book }: Known, delivered?: Delivered): Promise<Plan> => {
    const forms = book.begin()
    const planned = plan(requests, { head, forms, ...(delivered && { delivered }) }, sealing())
    if (planned.writes.length > 0) await store.commit(planned.writes)
    if (forms.added.length > 0) forms.keep()
    return planned
  }

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      known ??= await readKnown(store)
      const planned = await commit(
        batch.flatMap(item => item.requests),
        known,
      )
      known = { ...known, head: planned.head }
      const { checkpoint } = planned
      let at = 0
      for (const { requests, resolve } of batch) {
        const end = at + requests.length
        resolve({ entries: batch.length === 1 ? planned.entries : planned.entries.slice(at, end), checkpoint })
        at = end
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

  const enqueue: LedgerWriter['enqueue'] = (requests, resolve, reject) => {
    waiting.push({ requests, resolve, reject })
    schedule()
  }

  return {
    enqueue,
    write: requests => new Promise((resolve, reject) => enqueue(requests, resolve, reject)),
    head: async () => {
      known ??= await readKnown(store)
      return known.head
    },
  }
}
