import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from './driver/driver.ts'
import { openLibsql } from './driver/libsql.ts'
import { loadDriver } from './driver/load-driver.ts'
import { createNodeSqliteDriver, findNodeSqlite } from './driver/node-sqlite.ts'
import { openSqliteStore, type StoreOptions } from './open-sqlite-store.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

let folder: string
let file: string
let stores: Store[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-store-'))
  file = join(folder, 'belay.db')
})
afterEach(async () => {
  for (const store of stores) await store.close()
  stores = []
  rmSync(folder, { recursive: true })
})

async function open(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ file, ...options })
  stores.push(store)
  return store
}

const setMeta = (key: string, value: string) => ({ statement: { sql: 'INSERT INTO meta VALUES (?, ?)' }, parameters: [key, value] })
const readMeta = async (store: Store) => (await store.db.selectFrom('meta').selectAll().orderBy('key').execute()).map(row => row.key)

describe('writing', () => {
  test('a commit is all or nothing, and the next one works', async () => {
    const store = await open()
    await store.commit([setMeta('a', '1')])
    await expect(store.commit([setMeta('b', '1'), setMeta('a', '2')])).rejects.toBeInstanceOf(StoreError)
    await store.commit([setMeta('c', '1')])
    expect(await readMeta(store)).toEqual(['a', 'c'])
  })

  test('a transaction that fails leaves nothing, and others wait for it', async () => {
    const store = await open()
    const failing = store.transact(async tx => {
      await tx.insertInto('meta').values({ key: 'lost', value: '' }).execute()
      throw new Error('changed my mind')
    })
    const waiting = store.commit([setMeta('kept', '')])
    await expect(failing).rejects.toThrow('changed my mind')
    await waiting
    expect(await readMeta(store)).toEqual(['kept'])
  })

  test('a transaction reads what it wrote, others do not see it before it is done', async () => {
    const store = await open()
    await store.transact(async tx => {
      await tx.insertInto('meta').values({ key: 'new', value: '' }).execute()
      expect((await tx.selectFrom('meta').selectAll().execute()).length).toBe(1)
      expect(await readMeta(store)).toEqual([])
    })
    expect(await readMeta(store)).toEqual(['new'])
  })

  test('a reader cannot write, takes no lock, and may look at one moment only', async () => {
    const writer = await open()
    await writer.commit([setMeta('a', '')])
    const reader = await open({ readOnly: true })
    const snapshot = await open({ readOnly: true, snapshot: true })
    await writer.commit([setMeta('b', '')])
    expect([await readMeta(reader), await readMeta(snapshot)]).toEqual([['a', 'b'], ['a']])
    await expect(reader.commit([setMeta('c', '')])).rejects.toThrow('open for reading only')
  })

  test('a backup taken while writing goes on is a store of its own', async () => {
    const store = await open()
    await store.commit([setMeta('a', '')])
    const writing = Array.from({ length: 50 }, (_, i) => store.commit([setMeta(`w${i}`, '')]))
    await store.backup(join(folder, 'copy.db'))
    await Promise.all(writing)
    const copy = await open({ file: join(folder, 'copy.db'), readOnly: true })
    expect(await readMeta(copy)).toContain('a')
  })
})

describe('what cannot be opened says why', () => {
  const damaged = async (sql: string): Promise<void> => {
    await (await openSqliteStore({ file })).close()
    const connection = (await loadDriver())(file, { readOnly: false })
    connection.exec(sql)
    connection.close()
  }

  test('a newer database', async () => {
    await damaged('PRAGMA user_version = 9999')
    for (const readOnly of [true, false]) {
      await expect(openSqliteStore({ file, readOnly })).rejects.toMatchObject({
        code: 'BELAY_STORE_NEWER',
        message: expect.stringContaining('was written by a newer Belay (version 9999'),
      })
    }
    await damagedStaysAsItWas()
  })

  async function damagedStaysAsItWas(): Promise<void> {
    const connection = (await loadDriver())(file, { readOnly: true })
    expect(connection.prepare('PRAGMA user_version').rows([])[0]?.[0]).toBe(9999)
    connection.close()
  }

  test('a database of something else', async () => {
    const connection = (await loadDriver())(file, { readOnly: false })
    connection.exec('CREATE TABLE recipes (name TEXT)')
    connection.close()
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: 'BELAY_STORE_FOREIGN' })
  })

  test('a file that is not a database', async () => {
    writeFileSync(file, 'not a database at all, but long enough to have a header to look at'.repeat(20))
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: 'BELAY_STORE_CORRUPT' })
    await expect(openSqliteStore({ file, readOnly: true })).rejects.toMatchObject({ code: 'BELAY_STORE_CORRUPT' })
  })

  test('none', async () => {
    await expect(openSqliteStore({ file, readOnly: true })).rejects.toMatchObject({ code: 'BELAY_STORE_MISSING' })
    expect(existsSync(file)).toBe(false)
  })

  test('a lock that was left behind by a dead process is no lock', async () => {
    const store = await open()
    await store.commit([setMeta('a', '')])
    for (const end of ['.lock', '.writer']) copyFileSync(file + end, join(folder, `other.db${end}`))
    await open({ file: join(folder, 'other.db'), lockWaitMs: 0 })
  })
})

const nodeSqlite = findNodeSqlite()
const drivers: [string, Driver][] = [['libsql', openLibsql]]
if (nodeSqlite) drivers.push(['node:sqlite', createNodeSqliteDriver(nodeSqlite)])

describe.each(drivers)('the driver %s', (_name, driver) => {
  test('gives values back as they were, as objects and as arrays', () => {
    const connection = driver(file, { readOnly: false })
    connection.exec('CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d)')
    const insert = connection.prepare('INSERT INTO t VALUES (?, ?, ?, ?)')
    const pooled = Buffer.from('pooled')
    expect(insert.run([2 ** 40, 'é\ud83d\ude00', pooled, null])).toEqual({ changes: 1 })
    const select = connection.prepare('SELECT * FROM t')
    const [object] = select.all([])
    const [array] = select.rows([])
    expect({ ...object, c: Buffer.from(object?.c as Uint8Array) }).toEqual({ a: 2 ** 40, b: 'é\ud83d\ude00', c: pooled, d: null })
    expect(array?.map(value => (value instanceof Uint8Array ? Buffer.from(value) : value))).toEqual([
      2 ** 40,
      'é\ud83d\ude00',
      pooled,
      null,
    ])
    connection.close()
  })

  test('read-only is read-only', () => {
    driver(file, { readOnly: false }).exec('CREATE TABLE t (a)')
    const reader = driver(file, { readOnly: true })
    expect(() => reader.exec('INSERT INTO t VALUES (1)')).toThrow(/readonly/)
    reader.close()
  })

  test('a path may hold any character', () => {
    const odd = join(folder, 'a b#c?d%20é.db')
    driver(odd, { readOnly: false }).exec('CREATE TABLE t (a)')
    expect(driver(odd, { readOnly: true }).prepare('SELECT count(*) FROM t').rows([])).toEqual([[0]])
  })

  test('writes what the others read', async () => {
    const store = await open({ driver })
    await store.commit([setMeta('a', '')])
    for (const [, other] of drivers) {
      const reader = await open({ driver: other, readOnly: true })
      expect(await readMeta(reader)).toEqual(['a'])
    }
  })
})

test('a folder that may not be written is said to be so', async () => {
  if (process.getuid?.() === 0) {
    // Root may write anywhere; a file in the place of the folder stops it too.
    writeFileSync(join(folder, 'home'), '')
    await expect(openSqliteStore({ file: join(folder, 'home', 'belay.db') })).rejects.toThrow(/EEXIST|ENOTDIR/)
    return
  }
  chmodSync(folder, 0o500)
  await expect(openSqliteStore({ file })).rejects.toThrow()
  chmodSync(folder, 0o700)
})
