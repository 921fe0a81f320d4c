// The thread that log-copier.ts starts: copies the write-ahead log into the database when asked to, beside the writer. It is asked to end, not
// torn down: the driver takes the process along when its thread is stopped in the middle of a call.
import { parentPort, workerData } from 'node:worker_threads'
import type { Connection } from './driver/driver.ts'
import { loadDriver } from './driver/load-driver.ts'
import type { CopyStart } from './log-copier.ts'

const { file } = workerData as CopyStart
let connection: Connection | undefined

/** True: copy; false: no more will come. */
parentPort?.on('message', (wanted: boolean) => void (wanted ? copy() : stop()))

async function copy(): Promise<void> {
  try {
    connection ??= (await loadDriver())(file, { readOnly: false })
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Whatever is wrong with the disk, the next commit says it.
  } finally {
    parentPort?.postMessage(null)
  }
}

function stop(): void {
  connection?.close()
  parentPort?.close()
}
