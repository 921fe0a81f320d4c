// Where the parts of one user's ledger lie.
import { dirname, join } from 'node:path'

export interface LedgerFiles {
  readonly database: string
  readonly keys: string
  /** The last checkpoint, outside the database. */
  readonly checkpoint: string
}

export function locateLedger(home: string): LedgerFiles {
  return { database: join(home, 'belay.db'), keys: join(home, 'keys'), checkpoint: join(home, 'checkpoint.note') }
}

/** Of a database that may lie anywhere: everything else is beside it. */
export function locateBeside(database: string): LedgerFiles {
  return { ...locateLedger(dirname(database)), database }
}
