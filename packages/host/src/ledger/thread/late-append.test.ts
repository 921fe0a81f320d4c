// Entries that nobody waits for: written later, never out of order, never lost by a close.
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

const late = (n: unknown) => ({ ...note(n), body: canonicalJson({ n }), eventId: null, seal: false, wantsText: false })

const append = (n: unknown) => ledger.append(note(n))

/** The seq it got, once it is on disk. */
const appendLater = (n: unknown, options = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    ledger.appendLater({ ...late(n), ...options }, written => (written.ok ? resolve(written.seq) : reject(written.error)))
  })

async function read(): Promise<readonly unknown[]> {
  const rows = await ledger.store.db.selectFrom('ledger').select('body').where('kind', '=', 'note').orderBy('seq').execute()
  return rows.map(({ body }) => JSON.parse(String(body)).n)
}

test('they come before what is asked for after them, which does not wait', async () => {
  const first = [appendLater(1), appendLater(2)]
  await append(3)
  expect(await read()).toEqual([1, 2, 3])
  const [one, two] = await Promise.all(first)
  expect(two).toBe((one ?? 0) + 1)
})

test('they are written without anybody asking again', async () => {
  await Promise.all([appendLater(1), appendLater(2)])
  expect(await read()).toEqual([1, 2])
})

test('they wait for company, unless somebody waits for one of them', async () => {
  const sent: unknown[] = []
  const { ask } = openLine({ postMessage: requests => sent.push(...requests), on: () => undefined }, fail)
  const endOfTurn = () => new Promise(resolve => setImmediate(resolve))
  ask.later(late(1), 0, fail)
  await endOfTurn()
  expect(sent).toEqual([])
  ask.later(late(2), 0, fail)
  ask.hurry()
  await endOfTurn()
  expect(sent).toHaveLength(1)
})

test('closing writes them', async () => {
  const written = Promise.all([appendLater(1), appendLater(2)])
  await ledger.close()
  await written
  ledger = await open()
  expect(await read()).toEqual([1, 2])
})

test('many are not held back', async () => {
  await Promise.all(Array.from({ length: 1000 }, (_, n) => appendLater(n)))
  expect(await read()).toEqual(Array.from({ length: 1000 }, (_, n) => n))
})

test('one event is one entry, and whoever brings it again is told the same place', async () => {
  const [one, two] = await Promise.all([appendLater(1, { eventId: 'e1' }), appendLater(1, { eventId: 'e1' })])
  expect(two).toBe(one)
  expect(await read()).toEqual([1])
})

const appendWatched = (wantsText: boolean) =>
  new Promise(resolve => {
    ledger.appendLater({ ...late(1), wantsText }, written => resolve(written.ok ? written.text : written.error))
  })

test('the text that comes back, where it is wanted, is the entry as it stands in the ledger, without what binds it', async () => {
  const [text, none] = await Promise.all([appendWatched(true), appendWatched(false)])
  expect(none).toBeNull()
  const row = await ledger.store.db.selectFrom('ledger').selectAll().where('kind', '=', 'note').executeTakeFirstOrThrow()
  const { seq, id, time, actor, session, kind, policy, hash } = row
  expect(JSON.parse(String(text))).toEqual({ seq, id, time, actor, session, kind, policy, hash, body: { n: 1 } })
})

test('what is asked for once nobody writes any more fails at once', async () => {
  await ledger.close()
  await expect(appendLater(1)).rejects.toThrow('was closed')
  ledger = await open()
})
