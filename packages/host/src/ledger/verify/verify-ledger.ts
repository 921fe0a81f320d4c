// Checks whatever a ledger comes as: a database, live or copied, or a JSONL export. Gathers what is known about it from outside.
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, type NoteKey, parseCheckpoint, parseNote } from '@belay/core/ledger'
import { CompiledQuery } from 'kysely'
import { listSchemaChanges, SCHEMA_QUERY } from '../../store/check-schema.ts'
import type { Driver } from '../../store/driver/driver.ts'
import { loadDriver } from '../../store/driver/load-driver.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { listKeys } from '../../store/table/key.ts'
import { findOrigin } from '../../store/table/meta.ts'
import { findSigner } from '../keyring.ts'
import { createRowMac } from '../row-mac.ts'
import { listPinnedKeys } from '../signing-key.ts'
import { splitNotes } from '../split-notes.ts'
import { verifyExport } from './verify-export.ts'
import type { Progress, VerifyReport } from './verify-report.ts'
import { verifyStore } from './verify-store.ts'

export interface VerifyLedgerOptions {
  readonly file: string
  /** An export will not do, as for the live store and for a backup. */
  readonly isDatabase?: boolean
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
  if (!statSync(file).isFile()) throw new StoreError('BELAY_STORE_FOREIGN', `${file} is no file; give a copy of the database or an export`)
  // Before the store is opened: a checkpoint must not be newer than what it is compared with.
  const exported = [...(options.checkpointFiles ?? []), `${file}.note`]
    .filter(path => existsSync(path))
    .flatMap(path => splitNotes(readFileSync(path, 'utf8')))
  const pin = (origin: string): readonly NoteKey[] => [
    ...(options.keys ?? []).filter(key => key.name === origin),
    ...(options.keysDirectory === undefined ? [] : listPinnedKeys(options.keysDirectory, origin)),
  ]
  if (!startsAsDatabase(file)) {
    // Nothing at all proves nothing: it is what a copy looks like that was cut off at its first byte.
    if (statSync(file).size === 0) return reportDamage(file, 'the file is empty')
    if (options.isDatabase) return reportDamage(file, 'the file is not a database')
    const pinned = exported.flatMap(note => pin(parseCheckpoint(parseNote(note)?.text ?? '')?.origin ?? ''))
    return verifyExport(file, { exported, pinned, ...(onProgress && { onProgress }) })
  }
  try {
    return await verifyDatabase(options, exported, pin)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.code === 'BELAY_STORE_CORRUPT') return reportDamage(file, error.message)
    if (error.code === 'BELAY_STORE_OLDER') return verifyOlder(options, exported, pin)
    throw error
  }
}

async function verifyDatabase(
  { file, driver, workers, onProgress, keysDirectory, isOlder = false }: VerifyLedgerOptions & { readonly isOlder?: boolean },
  exported: readonly string[],
  pin: (origin: string) => readonly NoteKey[],
): Promise<VerifyReport> {
  const loaded = driver ?? (await loadDriver())
  const store = await openSqliteStore({ file, readOnly: true, snapshot: true, driver: loaded })
  try {
    const changes = await readSchemaChanges(store, loaded)
    // Whatever such a database gives may be something else than what was written.
    if (changes.length > 0) return reportFault(file, { seq: 1, kind: 'schema', what: changes.join('; ') })
    const pinned = pin((await findOrigin(store)) ?? '')
    const signer = isOlder || keysDirectory === undefined ? undefined : findSigner(keysDirectory, (await listKeys(store)).at(-1) ?? '')
    return await verifyStore(store, {
      exported,
      pinned,
      ...(signer && { makeMac: createRowMac(signer.privateKey) }),
      ...(workers !== undefined && { workers }),
      ...(onProgress && { onProgress }),
    })
  } finally {
    await store.close()
  }
}

async function readSchemaChanges(store: Store, driver: Driver): Promise<readonly string[]> {
  const rows = await store.prepareRead({ compile: () => CompiledQuery.raw(SCHEMA_QUERY) })([])
  return listSchemaChanges(rows, driver)
}

/** As the next version of the store would see it: a copy is brought forward, the file stays as it is. */
async function verifyOlder(
  options: VerifyLedgerOptions,
  exported: readonly string[],
  pin: (origin: string) => readonly NoteKey[],
): Promise<VerifyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'belay-verify-'))
  try {
    const driver = options.driver ?? (await loadDriver())
    const copy = join(folder, 'belay.db')
    const older = driver(options.file, { readOnly: true })
    try {
      older.prepare('VACUUM INTO ?').run([copy])
    } finally {
      older.close()
    }
    await (await openSqliteStore({ file: copy, driver })).close()
    const report = await verifyDatabase({ ...options, file: copy, driver, isOlder: true }, exported, pin)
    return { ...report, source: options.file }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** So damaged that not even the beginning can be read: a finding, not a failure of the check. */
function reportDamage(file: string, what: string): VerifyReport {
  return reportFault(file, { seq: 1, kind: 'file', what })
}

function reportFault(file: string, fault: Fault): VerifyReport {
  return {
    ok: false,
    source: file,
    origin: null,
    records: 0,
    range: null,
    firstBad: 1,
    faults: [fault],
    checkpoints: 0,
    sealed: 0,
    unsealed: 0,
    keys: { pinned: false, ids: [] },
    gaps: 0,
    clockSteps: 0,
    blobs: { kept: 0, pruned: 0 },
    dropped: 0,
  }
}

/** By its first bytes. An export begins with `{`. */
function startsAsDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(16)
    readSync(descriptor, start, 0, 16, 0)
    return start.toString('latin1') === SQLITE_MAGIC
  } finally {
    closeSync(descriptor)
  }
}
