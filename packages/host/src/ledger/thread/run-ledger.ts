// The ledger of a home, opened to be written for somebody else.
import type { MessagePort } from 'node:worker_threads'
import { openRedactor } from '../body-redactor.ts'
import { type LedgerOptions, openLedger } from '../open-ledger.ts'
import { describeFailure, OPENED, type Reply } from './ledger-message.ts'
import { serveLedger } from './serve-ledger.ts'

/** Can be sent between threads. */
export type LedgerStart = Pick<LedgerOptions, 'exportTo' | 'lockWaitMs' | 'sealEveryMs' | 'sealEveryRecords'> & { readonly home: string }

export async function runLedger(start: LedgerStart, port: MessagePort, onClosed: () => void): Promise<void> {
  const tell = (reply: Reply): void => port.postMessage([reply])
  try {
    const ledger = await openLedger({ ...start, redactor: openRedactor(start.home), onWarning: message => tell([null, message]) })
    serveLedger({ ledger, port, onClosed })
    tell([OPENED, undefined])
  } catch (error) {
    tell([OPENED, undefined, describeFailure(error)])
    onClosed()
  }
}
