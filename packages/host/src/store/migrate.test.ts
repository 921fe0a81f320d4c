import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainEntry, type Entry, GENESIS_HASH, prepareEntry } from '@belay/core/ledger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLedger } from '../ledger/open-ledger.ts'
import { verifyLedger } from '../ledger/verify/verify-ledger.ts'
import type { Connection, Driver } from './driver/driver.ts'
import { loadDriver } from './driver/load-driver.ts'
import { ledgerMigration } from './migration/0001-ledger.ts'
import { stateMigration } from './migration/0002-state.ts'
import { LEDGER_COLUMNS } from './table/ledger.ts'

let folder: string
let file: string
let driver: Driver
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-migrate-'))
  file = join(folder, 'belay.db')
  driver = await loadDriver()
})
afterEach(() => rmSync(folder, { recursive: true }))

function makeEntry(seq: number, prev: string, kind = 'decision'): Entry {
  const draft = { actor: 'agent:old', session: 's', kind, policy: null, body: `{"n":${seq}}` }
  return chainEntry(prepareEntry(draft, `id-${seq}`, Date.parse('2026-01-01'), null), seq, prev)
}

function insert(connection: Connection, { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash }: Entry): void {
  const columns = LEDGER_COLUMNS.filter(column => column !== 'salt' && column !== 'form')
  const sql = `INSERT INTO ledger (${columns}) VALUES (${columns.map(() => '?')})`
  connection.prepare(sql).run([seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash])
}

/** As version 2 wrote it: five entries, two of them operations. */
function writeVersion2(): void {
  const connection = driver(file, { readOnly: false })
  connection.exec(ledgerMigration + stateMigration)
  connection.exec('PRAGMA application_id = 1113943161; PRAGMA user_version = 2')
  const entries: Entry[] = []
  for (const kind of ['decision', 'capture', 'decision', 'commit', 'decision']) {
    entries.push(makeEntry(entries.length + 1, entries.at(-1)?.hash ?? GENESIS_HASH, kind))
  }
  for (const entry of entries) insert(connection, entry)
  connection.close()
}

test('a store of version 2 is brought forward with what it holds', async () => {
  writeVersion2()
  const ledger = await openLedger({ file })
  await ledger.append({ actor: 'agent:new', session: null, kind: 'claim', policy: null, body: {} })
  const operations = ledger.store.db.selectFrom('ledger').select(['seq', 'operation']).where('operation', 'is not', null).orderBy('seq')
  expect(await operations.execute()).toEqual([
    { seq: 2, operation: 'capture' },
    { seq: 4, operation: 'commit' },
    { seq: 7, operation: 'claim' },
  ])
  await ledger.close()
  const connection = driver(file, { readOnly: true })
  const plan = connection.prepare('EXPLAIN QUERY PLAN SELECT * FROM ledger WHERE operation IS NOT NULL AND seq > 1 ORDER BY seq').all([])
  expect(plan.map(row => row.detail)).toEqual([expect.stringContaining('USING INDEX ledger_operation')])
  connection.close()
  expect(await verifyLedger({ file })).toMatchObject({ ok: true, records: 7 })
})

describe('the database itself refuses', () => {
  test.each<[string, (last: Entry) => Entry]>([
    ['a row behind a gap', last => makeEntry(last.seq + 2, last.hash)],
    ['a row that names another one', last => makeEntry(last.seq + 1, last.prev)],
    ['a row before the first', () => makeEntry(0, GENESIS_HASH)],
    ['a second beginning', last => makeEntry(last.seq + 1, GENESIS_HASH)],
  ])('%s', async (_name, make) => {
    writeVersion2()
    const ledger = await openLedger({ file })
    const last = await ledger.append({ actor: 'agent:new', session: null, kind: 'decision', policy: null, body: {} })
    await ledger.close()
    const connection = driver(file, { readOnly: false })
    const count = () => connection.prepare('SELECT count(*) FROM ledger').rows([])[0]?.[0]
    const before = count()
    expect(() => insert(connection, make(last))).toThrow('an entry must follow the last one')
    expect(count()).toBe(before)
    connection.close()
  })

  test('a first row that names something', async () => {
    await (await openLedger({ file })).close()
    const connection = driver(file, { readOnly: false })
    expect(() => insert(connection, makeEntry(1, 'f'.repeat(64)))).toThrow('an entry must follow the last one')
    connection.close()
  })
})
