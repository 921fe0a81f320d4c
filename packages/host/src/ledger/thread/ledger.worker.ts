// The thread that open-ledger-thread.ts starts: everything that writes runs here, so that neither the disk nor hashing holds up an answer.
import { parentPort, workerData } from 'node:worker_threads'
import { giveBackMemory } from './give-back-memory.ts'
import { type LedgerStart, runLedger } from './run-ledger.ts'

const port = parentPort
if (port) {
  const memory = giveBackMemory()
  void runLedger(workerData as LedgerStart, port, () => {
    memory.stop()
    port.close()
  })
}
