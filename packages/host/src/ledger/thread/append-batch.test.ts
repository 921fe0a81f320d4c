// Entries whose text is handed over: never out of order, never lost by a close.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '@belay/core/ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLine } from './ask-thread.ts'
import type { RemoteLedger } from './connect-ledger.ts'
import { openLedgerThread } from './open-ledger-thread.ts'

let folder = ''
let ledger: RemoteLedger

const fail = (problem: unknown): never => {
  throw new Error(`not expected: ${problem}`)
}
const open = (): Promise<RemoteLedger> => openLedgerThread({ home: folder, onWarning: fail, onDeath: fail })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-lazy-'))
  ledger = await open()
})
afterEach(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

const note = (n: unknown) => ({ actor: 'agent:x', session: null, kind: 'note', policy: null, body: { n } })

const written = (n: unknown) => ({ ...note(n), body: canonicalJson({ n }), eventId: null, seal: false, wants: 'place' as const })

const append = (n: unknown) => ledger.append(note(n))

/** The seq it got, once it is on disk. */
const appendText = (n: unknown, options = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    ledger.appendText({ ...written(n), ...options }, done => (done.ok ? resolve(done.seq) : reject(done.error)))
  })

async function read(): Promise<readonly unknown[]> {
  const rows = await ledger.store.db.selectFrom('ledger').select('body').where('kind', '=', 'note').orderBy('seq').execute()
  return rows.map(({ body }) => JSON.parse(String(body)).n)
}

test('they come before what is asked for after them, which does not wait', async () => {
  const first = [appendText(1), appendText(2)]
  await append(3)
  expect(await read()).toEqual([1, 2, 3])
  const [one, two] = await Promise.all(first)
  expect(two).toBe((one ?? 0) + 1)
})

test('they are written without anybody asking again', async () => {
  await Promise.all([appendText(1), appendText(2)])
  expect(await read()).toEqual([1, 2])
})

test('what is asked for in one turn goes over in one message, in the order in which it was asked for', async () => {
  const sent: unknown[] = []
  const { ask } = openLine({ postMessage: requests => sent.push(requests), on: () => undefined }, fail)
  for (const n of [1, 2]) ask.append(written(n), 0, fail)
  void ask('checkpoint')
  ask.append(written(3), 0, fail)
  expect(sent).toEqual([])
  await new Promise(resolve => setImmediate(resolve))
  const names = (sent[0] as [id: number, name: string][]).map(([, name]) => name)
  expect([sent.length, names]).toEqual([1, ['appendBatch', 'checkpoint', 'appendBatch']])
})

test('closing writes them', async () => {
  const both = Promise.all([appendText(1), appendText(2)])
  await ledger.close()
  await both
  ledger = await open()
  expect(await read()).toEqual([1, 2])
})

test('many are not held back', async () => {
  await Promise.all(Array.from({ length: 1000 }, (_, n) => appendText(n)))
  expect(await read()).toEqual(Array.from({ length: 1000 }, (_, n) => n))
})

test('one event is one entry, and whoever brings it again is told the same place', async () => {
  const [one, two] = await Promise.all([appendText(1, { eventId: 'e1' }), appendText(1, { eventId: 'e1' })])
  expect(two).toBe(one)
  expect(await read()).toEqual([1])
})

const appendWatched = (wants: 'text' | 'place') =>
  new Promise(resolve => {
    ledger.appendText({ ...written(1), wants }, done => resolve(done.ok ? done.text : done.error))
  })

test('the text that comes back, where it is wanted, is the entry as it stands in the ledger, without what binds it', async () => {
  const [text, none] = await Promise.all([appendWatched('text'), appendWatched('place')])
  expect(none).toBeNull()
  const row = await ledger.store.db.selectFrom('ledger').selectAll().where('kind', '=', 'note').executeTakeFirstOrThrow()
  const { seq, id, time, actor, session, kind, policy, hash } = row
  expect(JSON.parse(String(text))).toEqual({ seq, id, time, actor, session, kind, policy, hash, body: { n: 1 } })
})

test('what is asked for once nobody writes any more fails at once', async () => {
  await ledger.close()
  await expect(appendText(1)).rejects.toThrow('was closed')
  ledger = await open()
})

test('an entry that is wanted whole comes back as it stands in the ledger, also where its body became another one', async () => {
  const secret = `ghp_${'aB3'.repeat(12)}`
  const [plain, clean] = await Promise.all([append('plain'), append(secret)])
  const rows = await ledger.store.db.selectFrom('ledger').selectAll().where('kind', '=', 'note').orderBy('seq').execute()
  expect([plain, clean]).toEqual(rows.map(({ seq }) => expect.objectContaining({ seq })))
  expect([plain.body, clean.body]).toEqual(rows.map(({ body }) => body))
  expect([plain.hash, clean.hash, clean.prev]).toEqual([...rows.map(({ hash }) => hash), plain.hash])
  expect(clean.body).not.toContain(secret)
})
