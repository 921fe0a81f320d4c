// What a thread of range-threads.ts does: opens the store for itself and answers the ranges it is sent, until null says that no more will come.
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { RangeAnswer, ThreadStart } from './range-threads.ts'
import type { Store } from './store.ts'

export function serveRanges<Request extends { readonly first: number }, Report>(
  begin: (store: Store) => (request: Request) => Report | Promise<Report>,
): void {
  const { file } = workerData as ThreadStart
  const opened = openSqliteStore({ file, readOnly: true })
  const work = opened.then(begin)
  // Whoever asks for a range hears why.
  work.catch(() => undefined)
  const running = new Set<Promise<void>>()

  async function answer(request: Request): Promise<void> {
    const { first } = request
    const said: RangeAnswer<Report> = await work
      .then(run => run(request))
      .then(
        report => ({ first, report }),
        (error: Error) => ({ first, error }),
      )
    parentPort?.postMessage(said)
  }

  async function stop(): Promise<void> {
    await Promise.all(running)
    await opened.then(
      store => store.close(),
      () => undefined,
    )
    parentPort?.close()
  }

  parentPort?.on('message', (request: Request | null) => {
    if (request === null) return void stop()
    const answering = answer(request).finally(() => running.delete(answering))
    running.add(answering)
  })
}
