// The thread that range-runner.ts starts: opens the store for itself and checks the ranges it is sent.
import { parentPort, workerData } from 'node:worker_threads'
import { parseNoteKey } from '@belay/core/ledger'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { WorkerStart } from './range-runner.ts'
import { createRangeCheck, type RangeRequest } from './verify-range.ts'

const { file, keys } = workerData as WorkerStart
const noteKeys = keys.map(parseNoteKey).filter(key => key !== undefined)
const opened = openSqliteStore({ file, readOnly: true })
const verifyRange = opened.then(store => createRangeCheck(store, noteKeys))
// Whoever asks for a range hears why.
verifyRange.catch(() => undefined)

const running = new Set<Promise<void>>()

/** A range to check, or null: no more will come. */
parentPort?.on('message', (request: RangeRequest | null) => {
  if (request === null) {
    void stop()
    return
  }
  const check = answer(request).finally(() => running.delete(check))
  running.add(check)
})

async function answer(request: RangeRequest): Promise<void> {
  const { first } = request
  try {
    parentPort?.postMessage({ first, report: await (await verifyRange)(request) })
  } catch (error) {
    parentPort?.postMessage({ first, error })
  }
}

async function stop(): Promise<void> {
  await Promise.all(running)
  await opened.then(
    store => store.close(),
    () => undefined,
  )
  parentPort?.close()
}
