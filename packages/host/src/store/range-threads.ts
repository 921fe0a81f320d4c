// Threads that work on ranges of one ledger, each with the database open for itself. What they run is `serveRanges` (serve-ranges.ts).
import { Worker } from 'node:worker_threads'

/** What every such thread is started with. */
export interface ThreadStart {
  /** Of the database. */
  readonly file: string
}

export interface RangeThread<Request extends { readonly first: number }, Report> {
  /** Several may be under way; each is told by its first row. */
  ask(request: Request): Promise<Report>
  stop(): Promise<void>
}

export type RangeAnswer<Report> = { readonly first: number; readonly report: Report } | { readonly first: number; readonly error: Error }

/** A thread works on one range and forgets it. Without a limit several hundred megabytes of what is forgotten would be left lying around. */
const MOST_KEPT_MB = 256

/** `program` is what the threads run; none where there is none, as from the sources. */
export function startRangeThreads<Request extends { readonly first: number }, Report>(
  program: string | undefined,
  start: ThreadStart,
  count: number,
): readonly RangeThread<Request, Report>[] {
  if (program === undefined) return []
  return Array.from({ length: count }, () => {
    const worker = new Worker(program, { workerData: start, resourceLimits: { maxOldGenerationSizeMb: MOST_KEPT_MB } })
    const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()))
    return {
      ask: request => askWorker(worker, request),
      // Asked to end, not torn down: the database driver takes the process along when its thread is stopped in the middle of a call.
      stop() {
        worker.postMessage(null)
        return exited
      },
    }
  })
}

function askWorker<Report>(worker: Worker, request: { readonly first: number }): Promise<Report> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: RangeAnswer<Report>): void => {
      if (answer.first !== request.first) return
      worker.off('message', onMessage)
      worker.off('error', reject)
      if ('error' in answer) reject(answer.error)
      else resolve(answer.report)
    }
    worker.on('message', onMessage)
    worker.on('error', reject)
    worker.postMessage(request)
  })
}
