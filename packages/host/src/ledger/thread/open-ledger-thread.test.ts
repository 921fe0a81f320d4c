// The ledger behind a thread does what the ledger does. Here both sides run on one thread, as from any sources; ledger-thread.test.ts starts
// a real one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryDraft } from '@belay/core/ledger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreError } from '../../store/store-error.ts'
import { type Ledger, openLedger } from '../open-ledger.ts'
import { trimLedger } from '../trim-ledger.ts'
import { verifyLedger } from '../verify/verify-ledger.ts'
import { openLedgerThread } from './open-ledger-thread.ts'

let home: string
let ledger: Ledger
let warnings: string[]

const open = () =>
  openLedgerThread({
    home,
    lockWaitMs: 0,
    onWarning: message => warnings.push(message),
    onDeath: error => warnings.push(error.message),
  })

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'belay-thread-'))
  warnings = []
  ledger = await open()
})
afterEach(async () => {
  await ledger.close()
  rmSync(home, { recursive: true })
})

const draft = (body: Record<string, unknown> = {}): EntryDraft => ({ actor: 'agent:x', session: 's1', kind: 'note', policy: null, body })
const setMeta = (key: string) => ({ statement: { sql: 'INSERT INTO meta VALUES (?, ?)' }, parameters: [key, ''] })
const readMeta = async () =>
  (await ledger.store.db.selectFrom('meta').select('key').where('key', '!=', 'origin').execute()).map(row => row.key)

test('appends, once for each event id, and what is acknowledged can be read', async () => {
  const [first, second, again] = await Promise.all([
    ledger.append(draft({ n: 1 }), { eventId: 'e1' }),
    ledger.append(draft({ n: 2 })),
    ledger.append(draft({ n: 3 }), { eventId: 'e1' }),
  ])
  expect([first.seq, second.seq, second.prev, again]).toEqual([1, 2, first.hash, first])
  const rows = await ledger.store.db.selectFrom('ledger').select(['seq', 'hash']).orderBy('seq').execute()
  expect(rows).toEqual([first, second].map(({ seq, hash }) => ({ seq, hash })))
})

test('secrets stay out of body, actor and session', async () => {
  const secret = `ghp_${'aB3'.repeat(12)}`
  const entry = await ledger.append({ ...draft({ text: `use ${secret}` }), actor: `agent:${secret}`, session: secret }, { eventId: secret })
  expect(JSON.stringify(entry)).not.toContain(secret)
  for (const file of ['belay.db', 'belay.db-wal']) expect(readFileSync(join(home, file)).includes(secret), file).toBe(false)
})

test('seals, rotates, trims, and verifies', async () => {
  await ledger.append(draft({ big: 'x'.repeat(5000) }))
  expect(await ledger.checkpoint()).toMatchObject({ n: 1, size: 1 })
  await ledger.rotateKey('human:ana')
  const retention = { bodiesDays: 0, eventsDays: null, entriesDays: null }
  const trimmed = await trimLedger(ledger, { retention, actor: 'human:ana', nowMs: Date.now() + 1000, dryRun: false })
  expect(trimmed).toMatchObject({ blobs: 1 })
  await ledger.checkpoint()
  const { database: file, keys: keysDirectory, checkpoint } = ledger.files
  expect(await verifyLedger({ file, keysDirectory, checkpointFiles: [checkpoint] })).toMatchObject({ ok: true, records: 3, unsealed: 0 })
})

describe('the store behind it', () => {
  test('commits all or nothing, and says what was wrong', async () => {
    await ledger.store.commit([setMeta('a')])
    const failed = ledger.store.commit([setMeta('b'), setMeta('a')])
    await expect(failed).rejects.toBeInstanceOf(StoreError)
    await expect(failed).rejects.toMatchObject({ code: 'BELAY_STORE_IO', message: expect.stringContaining('UNIQUE') })
    expect(await readMeta()).toEqual(['a'])
  })

  test('a transaction reads what it wrote; others wait for it, and see nothing before', async () => {
    const order: string[] = []
    const result = ledger.store.transact(async tx => {
      const { numInsertedOrUpdatedRows } = await tx.insertInto('meta').values({ key: 'new', value: '' }).executeTakeFirstOrThrow()
      order.push(`wrote ${numInsertedOrUpdatedRows}`)
      expect((await tx.selectFrom('meta').select('key').where('key', '=', 'new').execute()).length).toBe(1)
      expect(await readMeta()).toEqual([])
      return 'done'
    })
    const waiting = ledger.append(draft()).then(() => order.push('appended'))
    expect(await result).toBe('done')
    await waiting
    expect(order).toEqual(['wrote 1', 'appended'])
    expect(await readMeta()).toEqual(['new'])
  })

  test('a transaction that fails leaves nothing, and the next one works', async () => {
    const failing = ledger.store.transact(async tx => {
      await tx.insertInto('meta').values({ key: 'lost', value: '' }).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    const wrong = ledger.store.transact(tx => tx.insertInto('meta').values({ key: 'origin', value: '' }).execute())
    await expect(wrong).rejects.toBeInstanceOf(StoreError)
    await ledger.store.transact(tx => tx.insertInto('meta').values({ key: 'kept', value: '' }).execute())
    expect(await readMeta()).toEqual(['kept'])
  })
})

test('a second writer is refused, with the reason', async () => {
  await expect(open()).rejects.toMatchObject({
    code: 'BELAY_STORE_LOCKED',
    message: expect.stringContaining('is being written by process'),
  })
})

test('warnings of the writing side are heard', async () => {
  await ledger.append(draft())
  await ledger.append(draft())
  await ledger.close()
  for (const file of ['belay.db', 'belay.db-wal', 'belay.db-shm']) rmSync(join(home, file), { force: true })
  ledger = await open()
  await ledger.append(draft())
  await ledger.checkpoint()
  expect(warnings).toEqual([expect.stringContaining('there was another one with at least 2 records')])
})

test('after close it says that it is closed, and another may write', async () => {
  await ledger.close()
  await expect(ledger.append(draft())).rejects.toThrow('was closed')
  const local = await openLedger({ home, lockWaitMs: 0 })
  await local.close()
  ledger = await open()
})
