// Checks whatever a ledger comes as: a database, live or copied, or a JSONL export. Gathers what is known about it from outside.
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { type NoteKey, parseCheckpoint, parseNote } from '@belay/core/ledger'
import type { Driver } from '../../store/driver/driver.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import { StoreError } from '../../store/store-error.ts'
import { findOrigin } from '../../store/table/meta.ts'
import { listPinnedKeys } from '../signing-key.ts'
import { verifyExport } from './verify-export.ts'
import type { Progress, VerifyReport } from './verify-report.ts'
import { verifyStore } from './verify-store.ts'

export interface VerifyLedgerOptions {
  readonly file: string
  /** Public keys in this folder are trusted, if they are of this ledger. */
  readonly keysDirectory?: string
  /** Further keys to trust. */
  readonly keys?: readonly NoteKey[]
  /** Files with checkpoints that were exported; `FILE.note` is taken as well where it exists. */
  readonly checkpointFiles?: readonly string[]
  readonly driver?: Driver
  /** Threads at most; default: as many as are worth it. */
  readonly workers?: number
  readonly onProgress?: (progress: Progress) => void
}

const SQLITE_MAGIC = 'SQLite format 3\0'

export async function verifyLedger(options: VerifyLedgerOptions): Promise<VerifyReport> {
  const { file, onProgress } = options
  if (!existsSync(file)) throw new StoreError('BELAY_STORE_MISSING', `${file} does not exist`)
  // Before the store is opened: a checkpoint must not be newer than what it is compared with.
  const exported = [...(options.checkpointFiles ?? []), `${file}.note`]
    .filter(path => existsSync(path))
    .map(path => readFileSync(path, 'utf8'))
  const pin = (origin: string): readonly NoteKey[] => [
    ...(options.keys ?? []).filter(key => key.name === origin),
    ...(options.keysDirectory === undefined ? [] : listPinnedKeys(options.keysDirectory, origin)),
  ]
  if (!isDatabase(file)) {
    const pinned = exported.flatMap(note => pin(parseCheckpoint(parseNote(note)?.text ?? '')?.origin ?? ''))
    return verifyExport(file, { exported, pinned, ...(onProgress && { onProgress }) })
  }
  const store = await openSqliteStore({ file, readOnly: true, snapshot: true, ...(options.driver && { driver: options.driver }) })
  try {
    const pinned = pin((await findOrigin(store)) ?? '')
    const { workers } = options
    return await verifyStore(store, { exported, pinned, ...(workers !== undefined && { workers }), ...(onProgress && { onProgress }) })
  } finally {
    await store.close()
  }
}

/** By its first bytes. An export begins with `{`. */
function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(16)
    readSync(descriptor, start, 0, 16, 0)
    return start.toString('latin1') === SQLITE_MAGIC
  } finally {
    closeSync(descriptor)
  }
}
