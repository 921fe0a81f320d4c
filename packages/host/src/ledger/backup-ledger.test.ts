// What may be restored and what not, and what becomes of the store that is there. On real files.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainEntry, GENESIS_HASH, prepareEntry } from '@belay/core/ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadDriver } from '../store/driver/load-driver.ts'
import { ledgerMigration } from '../store/migration/0001-ledger.ts'
import { backupLedger, restoreLedger } from './backup-ledger.ts'
import { exportLines } from './fixtures/export-lines.ts'
import { locateLedger } from './ledger-files.ts'
import { openLedger } from './open-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

let folder: string
let backup: string
const files = () => locateLedger(join(folder, 'home'))
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-backup-'))
  backup = join(folder, 'backup')
  const ledger = await openLedger({ home: join(folder, 'home') })
  await ledger.append({ actor: 'agent:a', session: null, kind: 'decision', policy: null, body: { n: 1 } })
  await ledger.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each<[string, () => Promise<void>, string]>([
  ['an empty file', async () => writeFileSync(backup, ''), 'the file is empty'],
  ['a text', async () => writeFileSync(backup, 'hello\n'), 'the file is not a database'],
  ['an export of the very ledger', async () => writeFileSync(backup, await exportLines(files().database)), 'the file is not a database'],
  ['the beginning of a database', async () => writeFileSync(backup, readFileSync(files().database).subarray(0, 600)), 'damaged'],
])('%s is not restored, and the store stays', async (_name, make, why) => {
  await make()
  const before = readdirSync(join(folder, 'home')).sort()
  const restored = await restoreLedger(files(), backup, 'human:ana')
  expect(restored).toMatchObject({ kind: 'refused', report: { ok: false, faults: [{ what: expect.stringContaining(why) }] } })
  expect(readdirSync(join(folder, 'home')).sort()).toEqual(before)
  expect(await verifyLedger({ file: files().database })).toMatchObject({ ok: true, records: 1 })
})

test('a folder is named as what it is', async () => {
  mkdirSync(backup)
  await expect(restoreLedger(files(), backup, 'human:ana')).rejects.toThrow(`${backup} is no file`)
})

test('a live store that was replaced by an export of itself is not good', async () => {
  const lines = await exportLines(files().database)
  writeFileSync(files().database, lines)
  expect(await verifyLedger({ file: files().database })).toMatchObject({ ok: true })
  expect(await verifyLedger({ file: files().database, isDatabase: true })).toMatchObject({ ok: false, firstBad: 1 })
})

test('a restore that was cut short is not hidden by a new store, and can be done again', async () => {
  await backupLedger(files(), backup)
  // What is on disk between moving the old store aside and putting the new one in its place.
  copyFileSync(backup, `${files().database}.restoring`)
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(files().database + end)) renameSync(files().database + end, join(folder, `aside${end}`))
  }
  await expect(openLedger({ home: join(folder, 'home') })).rejects.toThrow('a restore was interrupted')
  expect(await restoreLedger(files(), backup, 'human:ana')).toMatchObject({ kind: 'restored', aside: expect.anything() })
  expect(await verifyLedger({ file: files().database })).toMatchObject({ ok: true, records: 2 })
})

test('restored on a machine that never saw it, a ledger verifies there, and goes on under a new key', async () => {
  await backupLedger(files(), backup)
  const other = locateLedger(join(folder, 'other'))
  mkdirSync(join(folder, 'other'))
  expect(await restoreLedger(other, backup, 'human:ana')).toMatchObject({ kind: 'restored', report: { keys: { pinned: false } } })
  expect(await verifyLedger({ file: other.database, keysDirectory: other.keys, checkpointFiles: [other.checkpoint] })).toMatchObject({
    ok: true,
    records: 3,
    unsealed: 0,
    keys: { pinned: true },
  })
})

test('where its keys are known, a backup brings no others', async () => {
  await backupLedger(files(), backup)
  const before = readdirSync(files().keys).sort()
  await restoreLedger(files(), backup, 'human:ana')
  expect(readdirSync(files().keys).sort()).toEqual(before)
})

test('a backup that an older Belay wrote is checked and restored, and itself left as it is', async () => {
  const driver = await loadDriver()
  const old = driver(backup, { readOnly: false })
  old.exec(ledgerMigration)
  old.exec('PRAGMA application_id = 1113943161; PRAGMA user_version = 1')
  const draft = { actor: 'agent:old', session: null, kind: 'decision', policy: null, body: '{}' }
  const { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash } = chainEntry(
    prepareEntry(draft, 'id-1', Date.parse('2026-01-01'), null),
    1,
    GENESIS_HASH,
  )
  old
    .prepare('INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run([seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash])
  old.close()
  const bytes = readFileSync(backup)
  expect(await verifyLedger({ file: backup })).toMatchObject({ ok: true, records: 1, source: backup })
  expect(await restoreLedger(files(), backup, 'human:ana')).toMatchObject({ kind: 'restored', report: { records: 1 } })
  expect(readFileSync(backup).equals(bytes)).toBe(true)
  expect(await verifyLedger({ file: files().database })).toMatchObject({ ok: true, records: 3 })
})
