// Entries that nobody waits for: written later, never out of order, never lost by a close.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ledger } from '../open-ledger.ts'
import { openLedgerThread } from './open-ledger-thread.ts'

let folder = ''
let ledger: Ledger

const fail = (problem: unknown): never => {
  throw new Error(`not expected: ${problem}`)
}
const open = (): Promise<Ledger> => openLedgerThread({ home: folder, onWarning: fail, onDeath: fail })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-lazy-'))
  ledger = await open()
})
afterEach(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

const append = (n: unknown, isLazy: boolean) =>
  ledger.append({ actor: 'agent:x', session: null, kind: 'note', policy: null, body: { n } }, { isLazy })

async function read(): Promise<readonly unknown[]> {
  const rows = await ledger.store.db.selectFrom('ledger').select('body').where('kind', '=', 'note').orderBy('seq').execute()
  return rows.map(({ body }) => JSON.parse(String(body)).n)
}

test('they come before what is asked for after them, which does not wait', async () => {
  const first = [append(1, true), append(2, true)]
  await append(3, false)
  expect(await read()).toEqual([1, 2, 3])
  const [one, two] = await Promise.all(first)
  expect(two?.seq).toBe((one?.seq ?? 0) + 1)
})

test('they are written without anybody asking again', async () => {
  await Promise.all([append(1, true), append(2, true)])
  expect(await read()).toEqual([1, 2])
})

test('closing writes them', async () => {
  const written = Promise.all([append(1, true), append(2, true)])
  await ledger.close()
  await written
  ledger = await open()
  expect(await read()).toEqual([1, 2])
})

test('many are not held back', async () => {
  await Promise.all(Array.from({ length: 1000 }, (_, n) => append(n, true)))
  expect(await read()).toEqual(Array.from({ length: 1000 }, (_, n) => n))
})

test('one that cannot be made fails alone', async () => {
  const endless: { self?: unknown } = {}
  endless.self = endless
  const settled = await Promise.allSettled([append(1, true), append(endless, true), append(3, true)])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await read()).toEqual([1, 3])
})
