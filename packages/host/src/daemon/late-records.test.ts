import type { EntryDraft } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createLateRecords, type LateRecord } from './late-records.ts'

/** Writes when it is told to. */
function createDisk() {
  const given: string[] = []
  const open: { resolve(isWritten: boolean): void }[] = []
  const records = createLateRecords<EntryDraft>({
    record: (draft, _options, done) => {
      given.push(String(draft.body.n))
      const { length } = String(draft.body.text)
      open.push({ resolve: isWritten => done(length, isWritten) })
      return length
    },
    hurry: () => given.push('now'),
    onDecision: () => undefined,
  })
  return { records, given, open }
}

function late(n: number, text = ''): LateRecord<EntryDraft> {
  const draft: EntryDraft = { actor: 'agent:a', session: 's', kind: 'stop', policy: null, body: { n, text } }
  return { make: () => draft, options: {} }
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('a record is made after its answer, in the order of the answers, before one that is waited for', async () => {
  const { records, given, open } = createDisk()
  records.add(late(1))
  records.add(late(2))
  expect(given).toEqual([])
  const written = records.write(late(3))
  expect(given).toEqual(['1', '2', '3', 'now'])
  for (const { resolve } of open) resolve(true)
  expect(await written).toBe(true)
})

test('many are made a few at a time, so that others have their turn between them, and all of them in order', async () => {
  const { records, given } = createDisk()
  for (let n = 0; n < 100; n++) records.add(late(n))
  while (given.length === 0) await nextTurn()
  expect(given.length).toBeLessThan(100)
  while (given.length < 100) await nextTurn()
  expect(given).toEqual(Array.from({ length: 100 }, (_, n) => String(n)))
})

test('everything is settled when nothing waits, written or not', async () => {
  const { records, given, open } = createDisk()
  records.add(late(1))
  let isSettled = false
  const settled = records.settle().then(() => {
    isSettled = true
  })
  const written = records.write(late(2))
  open[0]?.resolve(true)
  await nextTurn()
  expect([given, isSettled]).toEqual([['1', '2', 'now'], false])
  open[1]?.resolve(false)
  expect(await written).toBe(false)
  await settled
})

test.each([
  ['many', 4096, 'x'],
  ['large ones', 32, 'x'.repeat(1024 * 1024)],
])('where %s wait for the disk, answers wait for theirs until it has caught up', async (_what, count, text) => {
  const { records, given, open } = createDisk()
  for (let n = 1; n < count; n++) records.add(late(n, text))
  while (given.length < count - 1) await nextTurn()
  expect(records.isFull).toBe(false)
  records.add(late(count, text))
  while (given.length < count) await nextTurn()
  expect(records.isFull).toBe(true)
  for (const { resolve } of open) resolve(true)
  await records.settle()
  expect(records.isFull).toBe(false)
})
