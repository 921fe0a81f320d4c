// The thread that range-runner.ts starts: opens the store for itself and checks the ranges it is sent.
import { parentPort, workerData } from 'node:worker_threads'
import { parseNoteKey } from '@belay/core/ledger'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { WorkerStart } from './range-runner.ts'
import { type RangeRequest, verifyRange } from './verify-range.ts'

const { file, keys } = workerData as WorkerStart
const noteKeys = keys.map(parseNoteKey).filter(key => key !== undefined)
const opened = openSqliteStore({ file, readOnly: true })

parentPort?.on('message', async (request: RangeRequest) => {
  const { first } = request
  try {
    parentPort?.postMessage({ first, report: await verifyRange(await opened, noteKeys, request) })
  } catch (error) {
    parentPort?.postMessage({ first, error })
  }
})
