// The thread that writes a ledger, begun before most of the program is loaded: it takes as long to come up as the rest does to load.
import { Worker } from 'node:worker_threads'
import { findWorker } from '../../store/find-worker.ts'
import type { Port } from './ask-thread.ts'
import type { Reply } from './ledger-message.ts'
import type { LedgerStart } from './run-ledger.ts'

export interface Writer {
  readonly port: Port
  /** Resolves to what it ended with. */
  readonly ended: Promise<string>
  /** Until then it keeps no process alive. */
  take(): void
}

/** null: there is no file to start a thread from, which is when the sources are run. */
export function startWriter(start: LedgerStart): Writer | null {
  const file = findWorker(import.meta.url, 'ledger/thread/ledger.worker')
  if (file === undefined) return null
  const worker = new Worker(file, { workerData: start })
  worker.unref()
  const ended = new Promise<string>(resolve => {
    let why: string | undefined
    worker.once('error', error => {
      why = error.message
    })
    worker.once('exit', code => resolve(why ?? `exit code ${code}`))
  })
  return { port: listenFromNow(worker), ended, take: () => worker.ref() }
}

/** What it says before somebody listens is kept. */
function listenFromNow(worker: Worker): Port {
  const kept: (readonly Reply[])[] = []
  let hear = (replies: readonly Reply[]): void => void kept.push(replies)
  worker.on('message', (replies: readonly Reply[]) => hear(replies))
  return {
    postMessage: requests => worker.postMessage(requests),
    on(_event, listener) {
      hear = listener
      for (const replies of kept.splice(0)) listener(replies)
    },
  }
}
