// The whole store in one file, and back. Private keys stay out of a backup: restored elsewhere, the ledger gets a new key and records it.
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { type NoteKey, parseNoteKey } from '@belay/core/ledger'
import { loadDriver } from '../store/driver/load-driver.ts'
import { openSqliteStore, restoringFile } from '../store/open-sqlite-store.ts'
import { syncFile } from '../store/sync-file.ts'
import { listKeys } from '../store/table/key.ts'
import { acquireWriterLock } from '../store/writer-lock.ts'
import type { LedgerFiles } from './ledger-files.ts'
import { LEDGER_RESTORED } from './ledger-kind.ts'
import { openLedger } from './open-ledger.ts'
import { listPinnedKeys, pinKey } from './signing-key.ts'
import { verifyLedger } from './verify/verify-ledger.ts'
import type { VerifyReport } from './verify/verify-report.ts'

/** While others write: the copy is the store as it is at one moment. */
export async function backupLedger(files: LedgerFiles, target: string): Promise<void> {
  // Fails if it exists, and is private from the start.
  closeSync(openSync(target, 'wx', 0o600))
  const store = await openSqliteStore({ file: files.database, readOnly: true })
  try {
    await store.backup(target)
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    await store.close()
  }
}

export type Restored =
  | { readonly kind: 'restored'; readonly report: VerifyReport /** Where the store that was there went. */; readonly aside: string | null }
  | { readonly kind: 'refused'; readonly report: VerifyReport }

/** Nobody else may be writing. What was there is moved aside, never deleted. */
export async function restoreLedger(files: LedgerFiles, backup: string, actor: string): Promise<Restored> {
  const report = await verifyLedger({ file: backup, isDatabase: true, keysDirectory: files.keys })
  if (!report.ok) return { kind: 'refused', report }
  const unlock = await acquireWriterLock(files.database, { driver: await loadDriver(), waitMs: 1000 })
  let aside: string | null
  try {
    // From here until it is in place, nobody takes a missing database for a new one (open-sqlite-store.ts).
    const temporary = restoringFile(files.database)
    copyFileSync(backup, temporary)
    syncFile(temporary)
    aside = moveAside(files)
    renameSync(temporary, files.database)
    syncFile(files.database)
  } finally {
    unlock()
  }
  const isKnown = report.origin !== null && listPinnedKeys(files.keys, report.origin).length > 0
  const ledger = await openLedger({ file: files.database })
  // On a machine that never saw this ledger its keys are taken at its word, by whoever restores it; else it could not be verified here.
  if (!isKnown) for (const key of await listKeys(ledger.store)) pinKey(files.keys, requireKey(key))
  const body = { backup, records: report.records, aside }
  await ledger.append({ actor, session: null, kind: LEDGER_RESTORED, policy: null, body }, { seal: true })
  await ledger.close()
  return { kind: 'restored', report, aside }
}

function requireKey(text: string): NoteKey {
  const key = parseNoteKey(text)
  if (!key) throw new Error('a ledger that verifies holds a key that does not')
  return key
}

function moveAside(files: LedgerFiles): string | null {
  const aside = `${files.database}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const pairs = ['', '-wal', '-shm'].map(end => [files.database + end, aside + end] as const)
  const present = [...pairs, [files.checkpoint, `${aside}.checkpoint.note`] as const].filter(([from]) => existsSync(from))
  for (const [from, to] of present) renameSync(from, to)
  return present.length === 0 ? null : aside
}
