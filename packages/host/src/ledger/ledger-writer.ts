// Group commit: everything asked for within one turn of the event loop goes to disk in one transaction, and each promise settles after it.
// Invariant: a resolved append is on disk; a rejected one was reported, and the head is read back from disk before the next batch.
import type { Entry } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type LedgerHead, readHead } from './ledger-head.ts'
import { createPlanner, type Request, type Sealing } from './plan-batch.ts'

export interface Written {
  readonly entry: Entry | undefined
  /** The checkpoint made with this batch, if one was. */
  readonly checkpoint: CheckpointRow | undefined
}

export interface LedgerWriter {
  /** In the order of the calls. */
  write(request: Request): Promise<Written>
  /** As of the last batch on disk. */
  head(): Promise<LedgerHead>
}

export interface LedgerWriterOptions {
  readonly store: Store
  readonly sealing: () => Sealing
  readonly onCheckpoint: (checkpoint: CheckpointRow) => void
}

interface Waiting {
  readonly request: Request
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

export function createLedgerWriter({ store, sealing, onCheckpoint }: LedgerWriterOptions): LedgerWriter {
  const plan = createPlanner(store)
  let waiting: Waiting[] = []
  let isScheduled = false
  let known: LedgerHead | undefined

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      known ??= await readHead(store)
      const planned = await plan(
        batch.map(item => item.request),
        known,
        sealing(),
      )
      if (planned.writes.length > 0) await store.commit(planned.writes)
      known = planned.head
      const { checkpoint } = planned
      for (const [i, item] of batch.entries()) {
        item.resolve({ entry: planned.entries[i], checkpoint })
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
    write: request =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        schedule()
      }),
    head: async () => {
      known ??= await readHead(store)
      return known
    },
  }
}
