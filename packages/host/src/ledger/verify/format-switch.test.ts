// A ledger that began in the first format: it goes on in the second behind an entry that says so, and both verify.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chainEntry, createBlob, type Entry, GENESIS_HASH, hashBody, prepareEntry } from '@belay/core/ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Connection } from '../../store/driver/driver.ts'
import { loadDriver } from '../../store/driver/load-driver.ts'
import { migrate } from '../../store/migrate.ts'
import { LEDGER_COLUMNS } from '../../store/table/ledger.ts'
import { encodeExportLine } from '../export-line.ts'
import { openLedger } from '../open-ledger.ts'
import { proveEntry } from '../prove-entry.ts'
import { findEntry, streamEntries } from '../read-entry.ts'
import { trimLedger } from '../trim-ledger.ts'
import { verifyLedger } from './verify-ledger.ts'

const OLD = 20
const BEFORE_SALT = 8
const CHECKER = fileURLToPath(new URL('../../../../../docs/verify-proof.mjs', import.meta.url))

let folder: string
let file: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-format-'))
  file = join(folder, 'belay.db')
  await writeFirstFormat()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** As the version before wrote it: every fifth entry has a large value beside it. */
async function writeFirstFormat(): Promise<void> {
  await change(connection => {
    migrate(connection, file, BEFORE_SALT)
    const columns = LEDGER_COLUMNS.filter(column => column !== 'salt' && column !== 'form')
    let prev = GENESIS_HASH
    for (let seq = 1; seq <= OLD; seq++) {
      const blob = createBlob(Buffer.from('x'.repeat(5000)))
      const body = seq % 5 === 0 ? `{"big":{"$blob":"${blob.hash}","bytes":5000},"tool":"Write"}` : `{"n":${seq}}`
      const draft = { actor: 'agent:old', session: 's', kind: 'decision', policy: null, body }
      const entry = chainEntry(prepareEntry(draft, `old-${seq}`, Date.parse('2026-01-01'), null), seq, prev)
      prev = entry.hash
      const { bodyHash: body_hash, ...rest } = entry
      const row: Record<string, string | number | null> = { ...rest, body_hash }
      connection
        .prepare(`INSERT INTO ledger (${columns}) VALUES (${columns.map(() => '?')})`)
        .run(columns.map(column => row[column] ?? null))
      if (seq % 5 === 0) connection.prepare('INSERT INTO blobs VALUES (?, ?, ?, ?)').run([blob.hash, seq, blob.salt, blob.content])
    }
  })
}

async function change(work: (connection: Connection) => void): Promise<void> {
  const connection = (await loadDriver())(file, { readOnly: false })
  work(connection)
  connection.close()
}

async function goOn(): Promise<void> {
  const ledger = await openLedger({ file })
  for (let n = 0; n < 5; n++)
    await ledger.append({ actor: 'agent:new', session: null, kind: 'decision', policy: null, body: { tool: 'Bash', n, rule: { id: 'r' } } })
  await ledger.close()
}

test('goes on in the second format behind a sealed entry, once', async () => {
  await goOn()
  await goOn()
  const ledger = await openLedger({ file })
  const rows = await ledger.store.db.selectFrom('ledger').select(['seq', 'kind', 'salt']).orderBy('seq').execute()
  await ledger.close()
  expect(rows.filter(row => row.kind === 'ledger_format').map(row => row.seq)).toEqual([OLD + 1])
  expect(rows.map(row => row.salt !== null)).toEqual(rows.map(row => row.seq > OLD))
  expect(new Set(rows.slice(OLD).map(row => row.salt)).size).toBe(11)
  expect(await verifyLedger({ file })).toMatchObject({ ok: true, records: OLD + 11, unsealed: 0, blobs: { kept: 4, pruned: 0 } })
})

test('verifies where the large values of the first format are trimmed, and where its entries are dropped', async () => {
  await goOn()
  const ledger = await openLedger({ file })
  const options = { actor: 'human:ana', nowMs: Date.now(), dryRun: false }
  await trimLedger(ledger, { ...options, retention: { bodiesDays: 1, eventsDays: null, entriesDays: null } })
  expect(await verifyLedger({ file })).toMatchObject({ ok: true, blobs: { kept: 0, pruned: 4 }, dropped: 0 })
  await trimLedger(ledger, { ...options, retention: { bodiesDays: 1, eventsDays: null, entriesDays: 1 } })
  await ledger.close()
  expect(await verifyLedger({ file })).toMatchObject({ ok: true, dropped: OLD })
})

test.each([5, OLD + 1, OLD + 3])('a proof of entry %i is checked without our code', async seq => {
  await goOn()
  const ledger = await openLedger({ file })
  const found = await findEntry(ledger.store, String(seq))
  const proof = found.kind === 'found' ? await proveEntry(ledger.store, found.entry) : undefined
  await ledger.close()
  const check = (value: unknown): number | null => {
    writeFileSync(join(folder, 'proof.json'), JSON.stringify(value))
    return spawnSync(process.execPath, [CHECKER, join(folder, 'proof.json')]).status
  }
  expect(check(proof)).toBe(0)
  const entry = { ...proof?.entry }
  expect(check({ ...proof, entry: { ...entry, body: { n: 'other' } } })).toBe(1)
  expect(check({ ...proof, entry: { ...entry, salt: 'other', bodyHash: hashBody('{}', 'other'), body: {} } })).toBe(1)
  expect(check({ ...proof, entry: { ...entry, actor: 'other' } })).toBe(1)
})

async function exportLines(): Promise<string[]> {
  const ledger = await openLedger({ file })
  const lines: string[] = []
  for await (const entry of streamEntries(ledger.store, {})) lines.push(await encodeExportLine(ledger.store, entry))
  await ledger.close()
  return lines
}

test('an export of both formats verifies, and each edit of it is found', async () => {
  await goOn()
  const lines = await exportLines()
  const verify = (changed: readonly string[]) => {
    writeFileSync(join(folder, 'export.jsonl'), `${changed.join('\n')}\n`)
    return verifyLedger({ file: join(folder, 'export.jsonl') })
  }
  expect(await verify(lines)).toMatchObject({ ok: true, records: OLD + 6 })
  for (const at of [2, OLD, OLD + 2]) {
    const entry = JSON.parse(lines[at] ?? '')
    for (const name of Object.keys(entry)) {
      const edited = { ...entry, [name]: name === 'seq' || name === 'format' ? 99 : name === 'body' ? { n: 'other' } : 'other' }
      expect(await verify(lines.with(at, JSON.stringify(edited))), `${name} of line ${at + 1}`).toMatchObject({
        ok: false,
        firstBad: at + 1,
      })
    }
  }
})

/** What a writer that holds the key could do, and never does. */
test.each<[string, (entry: Entry) => Entry, string]>([
  ['no entry says so', entry => ({ ...entry, kind: 'decision' }), 'the format changes here, and no entry says so'],
  [
    'a row of the first format behind it',
    entry => (entry.seq === OLD + 3 ? { ...entry, salt: null, bodyHash: hashBody(entry.body, null) } : entry),
    'a row of the first format stands behind one of the second',
  ],
])('a chain that is right, but %s', async (_name, edit, what) => {
  await goOn()
  const lines = await exportLines()
  let prev = GENESIS_HASH
  const changed = lines.map(line => {
    const { body, blobs, salt = null, ...rest } = JSON.parse(line)
    const entry = edit({ ...rest, body: JSON.stringify(body), salt })
    const chained = chainEntry(entry, entry.seq, prev)
    prev = chained.hash
    return JSON.stringify({ ...rest, ...chained, body, ...(blobs && { blobs }) })
  })
  writeFileSync(join(folder, 'export.jsonl'), `${changed.join('\n')}\n`)
  expect(await verifyLedger({ file: join(folder, 'export.jsonl') })).toMatchObject({ ok: false, faults: [{ kind: 'chain', what }] })
})
