// Hands out ranges and gives their reports back in order: to worker threads where that is worth it, else to this one.
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatNoteKey, type NoteKey, type Tree } from '@belay/core/ledger'
import { findWorker } from '../../store/find-worker.ts'
import { type RangeThread, startRangeThreads, type ThreadStart } from '../../store/range-threads.ts'
import type { Store } from '../../store/store.ts'
import { createRangeCheck, RANGE_ROWS, type RangeReport, type RangeRequest } from './verify-range.ts'

/** Below this many rows a thread takes longer to start than to help. */
const WORTH_A_WORKER_ROWS = 100_000

export interface WorkerStart extends ThreadStart {
  readonly keys: readonly string[]
}

export interface RunOptions {
  readonly store: Store
  readonly keys: readonly NoteKey[]
  readonly last: number
  readonly lastCheckpoint: RangeRequest['lastCheckpoint']
  /** How many threads at most; default: as many as are worth it. */
  readonly workers?: number
}

export async function* runRanges({ store, keys, last, lastCheckpoint, workers: wanted }: RunOptions): AsyncGenerator<RangeReport> {
  const count = wanted ?? Math.min(availableParallelism(), Math.floor(last / WORTH_A_WORKER_ROWS))
  const start: WorkerStart = { file: store.place, keys: keys.map(formatNoteKey) }
  const threads: readonly Checker[] = startRangeThreads(findWorker(import.meta.url, 'ledger/verify/verify.worker'), start, count)
  const verifyRange = createRangeCheck(store, keys)
  const verifyHere = async (request: RangeRequest): Promise<RangeReport> => {
    // The database answers without ever waiting: timers, signals and memory to be given back would wait until the end.
    await nextTurn()
    return verifyRange(request)
  }
  const check = (request: RangeRequest, index: number): Promise<RangeReport> =>
    threads.length === 0 ? verifyHere(request) : (threads[index % threads.length] as Checker).ask(request).then(revive)
  const ahead = Math.max(1, threads.length * 2)
  const pending: Promise<RangeReport>[] = []
  try {
    for (let index = 0, first = 1; first <= last || pending.length > 0; index++, first += RANGE_ROWS) {
      if (first <= last) {
        const report = check({ first, last: Math.min(first + RANGE_ROWS - 1, last), lastCheckpoint }, index)
        // Whoever leaves early does not wait for these.
        report.catch(() => undefined)
        pending.push(report)
      }
      if (pending.length >= ahead || first > last) yield (await pending.shift()) as RangeReport
    }
  } finally {
    await Promise.all(threads.map(thread => thread.stop()))
  }
}

type Checker = RangeThread<RangeRequest, RangeReport>

/** Between threads a Buffer arrives as the plain bytes it is. */
function revive(report: RangeReport): RangeReport {
  return {
    ...report,
    tree: reviveTree(report.tree),
    tiles: report.tiles.map(tile => ({ ...tile, root: Buffer.from(tile.root) })),
    seals: report.seals.map(seal => ({ ...seal, tree: reviveTree(seal.tree) })),
  }
}

function reviveTree(tree: Tree): Tree {
  return {
    size: tree.size,
    levels: tree.levels.map(({ size, subtrees }) => ({ size, subtrees: subtrees.map(subtree => Buffer.from(subtree)) })),
  }
}
