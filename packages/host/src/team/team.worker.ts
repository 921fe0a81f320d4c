// The thread that uploads: opens the store for itself, for reading only.
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { readMembership } from './membership.ts'
import { runUploader } from './run-uploader.ts'
import type { UploadStart } from './watch-team.ts'

const ending = new AbortController()
parentPort?.once('message', () => ending.abort())

async function uploadUntilTold({ home, version }: UploadStart): Promise<void> {
  const membership = readMembership(home)
  if (membership) {
    const store = await openSqliteStore({ file: join(home, 'belay.db'), readOnly: true })
    await runUploader({ home, store, membership, version, signal: ending.signal })
    await store.close()
  }
  parentPort?.close()
}

void uploadUntilTold(workerData as UploadStart)
