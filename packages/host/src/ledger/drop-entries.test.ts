// Entries that are dropped whole leave their hashes: everything about the others stays provable.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLedgerExport } from '../command/ledger/export.ts'
import { loadDriver } from '../store/driver/load-driver.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { type LocalLedger, openLedger } from './open-ledger.ts'
import { proveEntry } from './prove-entry.ts'
import { findEntry } from './read-entry.ts'
import { type TrimReport, trimLedger } from './trim-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

let home: string
let ledger: LocalLedger
let file: string
const YEAR_MS = 365 * 86_400_000
const START = Date.parse('2025-01-01')
let now = START

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'belay-drop-'))
  file = join(home, 'belay.db')
  now = START
  ledger = await openLedger({ home, clock: { now: () => now, monotonic: () => now } })
})
afterEach(() => rmSync(home, { recursive: true }))

const append = (kind: string, body: Readonly<Record<string, unknown>>) =>
  ledger.append({ actor: 'agent:a', session: 's', kind, policy: null, body }, { eventId: `${kind} ${JSON.stringify(body).slice(0, 40)}` })

const drop = (): Promise<TrimReport> =>
  trimLedger(ledger, {
    retention: { bodiesDays: null, eventsDays: null, entriesDays: 100 },
    actor: 'human:ana',
    nowMs: now,
    dryRun: false,
  })

async function fill(): Promise<void> {
  for (let n = 1; n <= 700; n++) await append('decision', { n, ...(n % 100 === 0 && { big: 'x'.repeat(5000) }) })
  await append('commit', { commitment: 'c1', title: 'stays' })
  await append('evidence', { commitment: 'c1', text: 'stays too' })
  now += YEAR_MS
  for (let n = 1; n <= 20; n++) await append('decision', { young: n })
  await ledger.checkpoint()
}

const prove = async (seq: number): Promise<string> => {
  const store = await openSqliteStore({ file, readOnly: true })
  const found = await findEntry(store, String(seq))
  if (found.kind !== 'found') throw new Error(`entry ${seq}: ${found.kind}`)
  writeFileSync(join(home, 'proof.json'), JSON.stringify(await proveEntry(store, found.entry)))
  await store.close()
  const script = fileURLToPath(new URL('../../../../docs/verify-proof.mjs', import.meta.url))
  return spawnSync(process.execPath, [script, join(home, 'proof.json')], { encoding: 'utf8' }).stdout
}

function exportAll(): Promise<number> {
  const write = () => true
  const io = { stdout: { write }, stderr: { write }, env: { BELAY_HOME: home }, cwd: home, isTty: false, etc: home, stdin: [] as never }
  return runLedgerExport({ format: 'jsonl', out: 'all.jsonl' }, io)
}

test('old entries go, their hashes stay, and everything verifies', async () => {
  await fill()
  expect(await drop()).toMatchObject({ entries: 700 })
  await append('decision', { after: true })
  await ledger.close()
  const keysDirectory = join(home, 'keys')
  const checkpointFiles = [join(home, 'checkpoint.note')]
  expect(await verifyLedger({ file, keysDirectory, checkpointFiles })).toMatchObject({ ok: true, dropped: 700, faults: [] })
  const store = await openSqliteStore({ file, readOnly: true })
  expect(await findEntry(store, '5')).toEqual({ kind: 'dropped' })
  expect(await findEntry(store, '701')).toMatchObject({ kind: 'found', entry: { kind: 'commit' } })
  await store.close()
  expect(await prove(702)).toContain('entry 702 is in the ledger')
  expect(await prove(705)).toContain('entry 705 is in the ledger')
})

test('an export of what is left can be checked, and again after it was opened anew', async () => {
  await fill()
  await drop()
  await ledger.close()
  ledger = await openLedger({ home, clock: { now: () => now, monotonic: () => now } })
  for (let n = 1; n <= 300; n++) await append('decision', { later: n })
  await ledger.close()
  expect(await exportAll()).toBe(0)
  expect(await verifyLedger({ file: join(home, 'all.jsonl'), keysDirectory: join(home, 'keys') })).toMatchObject({ ok: true, dropped: 700 })
})

test('what was asked of people and what they said stays', async () => {
  const kinds = ['approval_requested', 'approval_decided', 'approval_used', 'approval_expired', 'policy_change']
  for (const kind of kinds) await append(kind, { approval: 'apr_1' })
  await append('decision', { n: 1 })
  now += YEAR_MS
  await append('decision', { young: 1 })
  await ledger.checkpoint()
  expect(await drop()).toMatchObject({ entries: 1 })
  await ledger.close()
})

test('what somebody else takes out behind a trim is named, in the database and in an export', async () => {
  for (let n = 1; n <= 20; n++) await append('decision', { n, big: 'x'.repeat(5000) })
  await append('policy_change', { n: 1 })
  now += YEAR_MS
  for (let n = 1; n <= 20; n++) await append('decision', { young: n })
  await ledger.checkpoint()
  await drop()
  await ledger.close()
  const check = (path = file) => verifyLedger({ file: path, keysDirectory: join(home, 'keys') })
  expect(await check()).toMatchObject({ ok: true, dropped: 20 })
  const connection = (await loadDriver())(file, { readOnly: false })
  connection.prepare("INSERT INTO leaves (seq, hash) SELECT seq, unhex(hash) FROM ledger WHERE kind = 'policy_change'").run([])
  connection.prepare('DELETE FROM deliveries WHERE seq IN (SELECT seq FROM leaves)').run([])
  connection.prepare("DELETE FROM ledger WHERE kind = 'policy_change'").run([])
  connection.close()
  const faults = [{ kind: 'gap', seq: 21, what: '21 entries are gone, and ledger gc dropped 20' }]
  expect(await check()).toMatchObject({ ok: false, faults })
  expect(await exportAll()).toBe(0)
  expect(await check(join(home, 'all.jsonl'))).toMatchObject({ ok: false, faults })
})

test('nothing that no checkpoint covers goes, and a dry run takes nothing', async () => {
  for (let n = 1; n <= 10; n++) await append('decision', { n })
  now += YEAR_MS
  expect(await drop()).toMatchObject({ entries: 0 })
  await ledger.checkpoint()
  const options = { retention: { bodiesDays: null, eventsDays: null, entriesDays: 100 }, actor: 'human:ana', nowMs: now }
  expect(await trimLedger(ledger, { ...options, dryRun: true })).toMatchObject({ entries: 9 })
  expect(await drop()).toMatchObject({ entries: 9 })
  await ledger.close()
  expect(await verifyLedger({ file, keysDirectory: join(home, 'keys') })).toMatchObject({ ok: true, dropped: 9 })
})

test('the space of dropped entries is used again', async () => {
  for (let round = 0; round < 3; round++) {
    for (let n = 1; n <= 400; n++) await append('decision', { round, n, text: 'word '.repeat(300) })
    now += YEAR_MS
    await ledger.checkpoint()
    await drop()
  }
  await ledger.close()
  // Each round alone takes about 700 KB.
  expect(statSync(file).size).toBeLessThan(1_500_000)
})

test('what the hub of the team does not hold yet stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-drop-'))
  const ledger = await openLedger({ home: folder })
  for (let n = 0; n < 10; n++) await ledger.append({ actor: 'agent:x', session: null, kind: 'decision', policy: null, body: { n } })
  await ledger.checkpoint()
  mkdirSync(join(folder, 'team'))
  const trim = () =>
    trimLedger(ledger, {
      retention: { bodiesDays: null, eventsDays: null, entriesDays: 1 },
      actor: 'human:ana',
      nowMs: Date.now() + 10 * 86_400_000,
      dryRun: true,
    })
  expect((await trim()).entries).toBeGreaterThan(6)
  for (const [said, gone] of [
    ['4\n', 4],
    ['0\n', 0],
    ['broken', 0],
  ] as const) {
    writeFileSync(join(folder, 'team', 'acknowledged'), said)
    expect((await trim()).entries).toBe(gone)
  }
  await ledger.close()
  rmSync(folder, { recursive: true })
})
