// Judges what a ledger holds under another policy, on all cores, a range of entries at a time: memory does not grow with the ledger.
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SeqRange } from '../../ledger/find-time.ts'
import { findWorker } from '../../store/find-worker.ts'
import { startRangeThreads, type ThreadStart } from '../../store/range-threads.ts'
import type { Store } from '../../store/store.ts'
import { createReplayRange, type ReplayRequest } from './replay-range.ts'
import { emptyTally, mergeTally, type ReplayTally } from './replay-tally.ts'

export interface WorkerStart extends ThreadStart {
  readonly request: ReplayRequest
}

export interface ReplayOptions {
  readonly store: Store
  readonly request: ReplayRequest
  readonly range: SeqRange
  /** How many threads at most; default: as many as are worth it. */
  readonly workers?: number
  onProgress?(done: number, all: number): void
}

const RANGE_ROWS = 4096
/**
 * Each thread runs in for itself: until its engine has compiled the judge it takes as much processor time as 50,000 rows take later. With twice
 * as many for each, the time that is gained is worth that of the other programs.
 */
const WORTH_A_WORKER_ROWS = 100_000

export async function replayLedger({ store, request, range, workers, onProgress }: ReplayOptions): Promise<ReplayTally> {
  const rows = Math.max(0, range.last - range.first + 1)
  const start: WorkerStart = { file: store.place, request }
  const count = workers ?? threadsFor(rows)
  const threads = startRangeThreads<SeqRange, ReplayTally>(findWorker(import.meta.url, 'policy/replay/replay.worker'), start, count)
  const tally = emptyTally()
  let next = range.first
  const work = async (judge: (range: SeqRange) => Promise<ReplayTally>): Promise<void> => {
    while (next <= range.last) {
      const first = next
      next += RANGE_ROWS
      mergeTally(tally, await judge({ first, last: Math.min(first + RANGE_ROWS - 1, range.last) }))
      onProgress?.(Math.min(next - range.first, rows), rows)
    }
  }
  try {
    if (threads.length > 0) await Promise.all(threads.map(thread => work(thread.ask)))
    else await work(judgeHere(store, request))
  } finally {
    await Promise.all(threads.map(thread => thread.stop()))
  }
  tally.groups.sort((a, b) => b.count - a.count || a.example.seq - b.example.seq)
  return tally
}

export function threadsFor(rows: number, cores = availableParallelism()): number {
  return Math.min(cores, Math.floor(rows / WORTH_A_WORKER_ROWS))
}

function judgeHere(store: Store, request: ReplayRequest): (range: SeqRange) => Promise<ReplayTally> {
  const replayRange = createReplayRange(store, request)
  return async range => {
    // The database answers without ever waiting: signals would wait until the end.
    await nextTurn()
    return replayRange(range)
  }
}
