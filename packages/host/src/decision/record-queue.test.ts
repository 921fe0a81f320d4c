import type { EntryDraft } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createRecordQueue, type QueuedRecord, type RecordLimits } from './record-queue.ts'

/** Writes when it is told to. */
function createDisk(limits?: RecordLimits) {
  const given: string[] = []
  const open: { resolve(isWritten: boolean): void }[] = []
  const lost = { count: 0 }
  const port = {
    record: (draft: EntryDraft, _options: object, done: (length: number, isWritten: boolean) => void) => {
      given.push(String(draft.body.n))
      const { length } = String(draft.body.text)
      open.push({ resolve: isWritten => done(length, isWritten) })
      return length
    },
    onDecision: () => undefined,
    onNoRoom: () => {
      lost.count++
    },
  }
  return { records: createRecordQueue<EntryDraft>(port, limits), given, open, lost }
}

function recordOf(n: number, text = ''): QueuedRecord<EntryDraft> {
  const draft: EntryDraft = { actor: 'agent:a', session: 's', kind: 'stop', policy: null, body: { n, text } }
  return { make: () => draft, options: {} }
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('a record is made after its answer, in the order of the answers, before one that is waited for', async () => {
  const { records, given, open } = createDisk()
  records.add(recordOf(1))
  records.add(recordOf(2))
  expect(given).toEqual([])
  const written = records.write(recordOf(3))
  expect(given).toEqual(['1', '2', '3'])
  for (const { resolve } of open) resolve(true)
  expect(await written).toBe(true)
})

test('many are made a few at a time, so that others have their turn between them, and all of them in order', async () => {
  const { records, given } = createDisk()
  for (let n = 0; n < 100; n++) records.add(recordOf(n))
  while (given.length === 0) await nextTurn()
  expect(given.length).toBeLessThan(100)
  while (given.length < 100) await nextTurn()
  expect(given).toEqual(Array.from({ length: 100 }, (_, n) => String(n)))
})

test('everything is settled when nothing waits, written or not', async () => {
  const { records, given, open } = createDisk()
  records.add(recordOf(1))
  let isSettled = false
  const settled = records.settle().then(() => {
    isSettled = true
  })
  const written = records.write(recordOf(2))
  open[0]?.resolve(true)
  await nextTurn()
  expect([given, isSettled]).toEqual([['1', '2'], false])
  open[1]?.resolve(false)
  expect(await written).toBe(false)
  await settled
})

const FOREVER = 2 ** 31 - 1
const small = { most: 3, mostText: 10, waitMs: FOREVER }

test('where so many are not on disk that there is no room, those that nobody waits for are counted and lost', async () => {
  const { records, given, open, lost } = createDisk(small)
  for (let n = 1; n <= 5; n++) records.add(recordOf(n))
  expect(lost.count).toBe(2)
  while (given.length < 3) await nextTurn()
  open[0]?.resolve(true)
  records.add(recordOf(6))
  expect(lost.count).toBe(2)
  while (given.length < 4) await nextTurn()
  expect(given).toEqual(['1', '2', '3', '6'])
})

test('large ones fill it sooner', async () => {
  const { records, given, open, lost } = createDisk(small)
  records.add(recordOf(1, 'x'.repeat(10)))
  while (given.length < 1) await nextTurn()
  records.add(recordOf(2))
  expect(lost.count).toBe(1)
  open[0]?.resolve(true)
  records.add(recordOf(3))
  expect(lost.count).toBe(1)
})

test('those that are waited for wait for room, in their order, and nobody overtakes them', async () => {
  const { records, given, open, lost } = createDisk(small)
  for (let n = 1; n <= 3; n++) records.add(recordOf(n))
  const both = [records.write(recordOf(4)), records.write(recordOf(5))]
  while (given.length < 3) await nextTurn()
  open[0]?.resolve(true)
  records.add(recordOf(6))
  while (given.length < 4) await nextTurn()
  expect([given.at(-1), lost.count]).toEqual(['4', 1])
  for (let at = 1; at < 5; at++) {
    while (open.length <= at) await nextTurn()
    open[at]?.resolve(true)
  }
  expect(await Promise.all(both)).toEqual([true, true])
  expect(given).toEqual(['1', '2', '3', '4', '5'])
})

test('one for which there is no room in time fails, and is counted', async () => {
  const { records, lost } = createDisk({ ...small, waitMs: 1 })
  for (let n = 1; n <= 3; n++) records.add(recordOf(n))
  expect(await records.write(recordOf(4))).toBe(false)
  expect(lost.count).toBe(1)
})
