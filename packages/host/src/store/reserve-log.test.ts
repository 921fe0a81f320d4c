import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStore } from './open-sqlite-store.ts'
import { reserveLog } from './reserve-log.ts'
import type { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-reserve-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MEGABYTE = 1024 * 1024
const file = join(folder, 'belay.db')
const setMeta = (key: string) => ({ statement: { sql: 'INSERT INTO meta VALUES (?, ?)' }, parameters: [key, 'x'.repeat(5000)] })
const readMeta = async (store: Store) => (await store.db.selectFrom('meta').select('key').orderBy('key').execute()).map(row => row.key)

test('what was logged stays, what follows is logged into the room, and whoever recovers the log sees all of it', async () => {
  const store = await openSqliteStore({ file })
  await store.commit([setMeta('a')])
  reserveLog(file, 2 * MEGABYTE + 17)
  expect(statSync(`${file}-wal`).size).toBe(2 * MEGABYTE + 17)
  reserveLog(file, MEGABYTE)
  expect(statSync(`${file}-wal`).size).toBe(2 * MEGABYTE + 17)
  for (const key of ['b', 'c', 'd']) await store.commit([setMeta(key)])
  expect(statSync(`${file}-wal`).size).toBe(2 * MEGABYTE + 17)
  // As after a crash: the database and its log, and nobody who closed them.
  for (const end of ['', '-wal']) copyFileSync(file + end, join(folder, `crashed.db${end}`))
  const crashed = await openSqliteStore({ file: join(folder, 'crashed.db') })
  expect([await readMeta(store), await readMeta(crashed)]).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'b', 'c', 'd'],
  ])
  await crashed.close()
  await store.close()
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})

test('a writer that rests takes the room', async () => {
  const store = await openSqliteStore({ file })
  await store.commit([setMeta('e')])
  await expect.poll(() => statSync(`${file}-wal`).size).toBe(16 * MEGABYTE)
  await store.commit([setMeta('f')])
  expect(await readMeta(store)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  await store.close()
})
