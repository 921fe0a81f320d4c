// Group commit: everything asked for within one turn of the event loop goes to disk in one transaction, and each promise settles after it.
// Invariant: a resolved append is on disk; a rejected one was reported, and the head is read back from disk before the next batch.
import type { Entry } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import { isTaken } from '../store/store-error.ts'
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type LedgerHead, readHead } from './ledger-head.ts'
import { createPlanner, type Plan, type Request, type Sealing } from './plan-batch.ts'

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

interface Waiting {
  readonly requests: readonly Request[]
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

export function createLedgerWriter({ store, sealing, onCheckpoint }: LedgerWriterOptions): LedgerWriter {
  const { plan, findDelivered } = createPlanner(store)
  let waiting: Waiting[] = []
  let isScheduled = false
  let known: LedgerHead | undefined

  /** Events hardly ever come twice, so they are looked for only when the database has refused one: looking takes as long as writing. */
  const commit = async (requests: readonly Request[], head: LedgerHead): Promise<Plan> => {
    const planned = plan(requests, head, sealing())
    try {
      await save(planned)
      return planned
    } catch (error) {
      const delivered = isTaken(error) ? await findDelivered(requests) : undefined
      if (!delivered?.size) throw error
      const rest = plan(requests, head, sealing(), delivered)
      await save(rest)
      return rest
    }
  }

  const save = async ({ writes }: Plan): Promise<void> => {
    if (writes.length > 0) await store.commit(writes)
  }

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      known ??= await readHead(store)
      const planned = await commit(
        batch.flatMap(item => item.requests),
        known,
      )
      known = planned.head
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
      known ??= await readHead(store)
      return known
    },
  }
}
