// Copies the write-ahead log into the database on a thread of its own, so that a writer who never pauses does not wait for it: tens of
// milliseconds every few thousand records. The thread is started when it is needed for the first time.
import { Worker } from 'node:worker_threads'
import { findWorker } from './find-worker.ts'

export interface CopyStart {
  readonly file: string
}

export interface LogCopier {
  /** One at a time. False: there is no thread for it. Else `onDone` is called when it has tried. */
  start(onDone: () => void): boolean
  /** Resolves when it has ended. */
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  readonly ended: Promise<void>
}

export function createLogCopier(file: string): LogCopier {
  const code = findWorker(import.meta.url, 'store/copy-log.worker')
  let thread: Thread | undefined
  let isDead = false
  let done: (() => void) | undefined

  const settle = (): void => {
    const call = done
    done = undefined
    call?.()
  }

  const open = (path: string): Thread => {
    const worker = new Worker(path, { workerData: { file } satisfies CopyStart })
    worker.unref()
    worker.on('message', settle)
    // What it died of does not matter: without it the writer copies by itself.
    worker.once('error', () => undefined)
    const ended = new Promise<void>(resolve => {
      worker.once('exit', () => {
        isDead = true
        settle()
        resolve()
      })
    })
    return { worker, ended }
  }

  return {
    start: onDone => {
      if (isDead || code === undefined) return false
      thread ??= open(code)
      done = onDone
      thread.worker.postMessage(true)
      return true
    },
    close: async () => {
      done = undefined
      thread?.worker.ref()
      thread?.worker.postMessage(false)
      await thread?.ended
    },
  }
}
