// A ledger that is written on a thread of its own. Where there is no file to start one from, which is when the sources are run, the same
// two sides talk to each other on this thread.
import { MessageChannel } from 'node:worker_threads'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import { StoreError } from '../../store/store-error.ts'
import { locateLedger } from '../ledger-files.ts'
import { openLine } from './ask-thread.ts'
import { connectLedger, type RemoteLedger } from './connect-ledger.ts'
import { type LedgerStart, runLedger } from './run-ledger.ts'
import { startWriter, type Writer } from './start-writer.ts'

export interface LedgerThreadOptions extends LedgerStart {
  readonly onWarning: (message: string) => void
  /** The thread ended without being asked to. Everything unanswered has failed by then, and so does all that is asked later. */
  readonly onDeath: (error: Error) => void
  /** Begun before; absent or null: it is begun here. */
  readonly writer?: Writer | null
}

export async function openLedgerThread({ onWarning, onDeath, writer, ...start }: LedgerThreadOptions): Promise<RemoteLedger> {
  const files = locateLedger(start.home)
  const { port, ended, take } = writer ?? startWriter(start) ?? startHere(start)
  take()
  const line = openLine(port, onWarning)
  let isWanted = false
  const gone = ended.then(why => {
    line.cut(new StoreError('BELAY_STORE_IO', isWanted ? `${files.database} is written no more: ${why}` : `${files.database} was closed`))
    if (isWanted) onDeath(new Error(`the thread that writes ${files.database} ended: ${why}`))
  })
  const close = async (): Promise<void> => {
    isWanted = false
    try {
      await line.ask('close')
    } finally {
      await gone
    }
  }
  await line.opened.catch(async error => {
    await gone
    throw error
  })
  isWanted = true
  try {
    const reader = await openSqliteStore({ file: files.database, readOnly: true })
    return connectLedger({ ask: line.ask, reader, files, close })
  } catch (error) {
    await close()
    throw error
  }
}

function startHere(start: LedgerStart): Writer {
  const { port1, port2 } = new MessageChannel()
  void runLedger(start, port2, () => port2.close())
  return { port: port1, ended: new Promise(resolve => port1.once('close', () => resolve('its port was closed'))), take: () => undefined }
}
