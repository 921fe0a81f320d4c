import type { EntryDraft } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createLateRecords, type LateRecord } from './late-records.ts'

/** Writes when it is told to. */
function createDisk() {
  const given: string[] = []
  const failures: string[] = []
  const open: { resolve(): void; reject(error: Error): void }[] = []
  const records = createLateRecords({
    record: draft => {
      given.push(String(draft.body.n))
      return new Promise<void>((resolve, reject) => open.push({ resolve, reject }))
    },
    onDecision: () => undefined,
    onRecordFailure: (_error, draft) => void failures.push(String(draft.body.n)),
  })
  return { records, given, failures, open }
}

function late(n: number, text = ''): LateRecord {
  const draft: EntryDraft = { actor: 'agent:a', session: 's', kind: 'stop', policy: null, body: { n, text } }
  return { make: () => draft, options: { isLazy: true } }
}

/** Until what nobody waits for has been made. */
const turn = () => new Promise(resolve => setTimeout(resolve, 20))

test('a record is made a moment after its answer, in the order of the answers, before one that is waited for', async () => {
  const { records, given, open } = createDisk()
  records.add(late(1))
  records.add(late(2))
  expect(given).toEqual([])
  const written = records.write(late(3))
  expect(given).toEqual(['1', '2', '3'])
  for (const { resolve } of open) resolve()
  expect(await written).toBe(true)
})

test('one that cannot be written is reported, and everything is settled when nothing waits', async () => {
  const { records, given, failures, open } = createDisk()
  records.add(late(1))
  let isSettled = false
  const settled = records.settle().then(() => {
    isSettled = true
  })
  const written = records.write(late(2))
  open[0]?.resolve()
  await turn()
  expect([given, isSettled]).toEqual([['1', '2'], false])
  open[1]?.reject(new Error('full'))
  expect(await written).toBe(false)
  await settled
  expect(failures).toEqual(['2'])
})

test.each([
  ['many', 4096, 'x'],
  ['large ones', 32, 'x'.repeat(1024 * 1024)],
])('where %s wait for the disk, answers wait for theirs until it has caught up', async (_what, count, text) => {
  const { records, open } = createDisk()
  for (let n = 1; n < count; n++) records.add(late(n, text))
  await turn()
  expect(records.isFull).toBe(false)
  records.add(late(count, text))
  await turn()
  expect(records.isFull).toBe(true)
  for (const { resolve } of open) resolve()
  await records.settle()
  expect(records.isFull).toBe(false)
})
