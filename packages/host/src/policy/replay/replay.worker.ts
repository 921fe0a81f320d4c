// The thread that replay-ledger.ts starts: opens the store for itself and judges the ranges it is sent.
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { WorkerStart } from './replay-ledger.ts'
import { createReplayRange, type SeqRange } from './replay-range.ts'

const { file, request } = workerData as WorkerStart
const opened = openSqliteStore({ file, readOnly: true })
const replayRange = opened.then(store => createReplayRange(store, request))
// Whoever asks for a range hears why.
replayRange.catch(() => undefined)

/** A range to judge, or null: no more will come. One is sent at a time. */
parentPort?.on('message', async (range: SeqRange | null) => {
  if (range === null) {
    await opened.then(
      store => store.close(),
      () => undefined,
    )
    parentPort?.close()
    return
  }
  try {
    parentPort?.postMessage({ tally: await (await replayRange)(range) })
  } catch (error) {
    parentPort?.postMessage({ error })
  }
})
