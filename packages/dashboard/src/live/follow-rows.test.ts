import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordFilter, RecordPage, RecordRow } from '#page/record.ts'
import { makeRow } from './fixtures.ts'
import { followRows } from './follow-rows.ts'
import { createRowStore } from './row-store.ts'

const PAGE = 3

/** A daemon whose ledger grows, and a page that follows it; every answer and every batch waits until it is let through. */
function makeWorld(filter: RecordFilter = {}) {
  const ledger: RecordRow[] = []
  const due: (() => void)[] = []
  let row: (row: RecordRow) => void = () => undefined
  let gap: () => void = () => undefined
  let isConnected = true
  const store = createRowStore()
  const problems: (Error | null)[] = []
  const following = followRows({
    store,
    filter,
    load: before =>
      new Promise<RecordPage>((resolve, reject) => {
        due.push(() => {
          if (!isConnected) return reject(new Error('away'))
          const rows = ledger
            .filter(({ seq }) => seq < (before ?? Number.POSITIVE_INFINITY))
            .toReversed()
            .slice(0, PAGE)
          const oldest = rows.at(-1)?.seq ?? 1
          resolve({ rows, next: oldest > 1 ? oldest : null })
        })
      }),
    onRow: listener => {
      row = listener
      return () => undefined
    },
    onGap: listener => {
      gap = listener
      return () => undefined
    },
    onProblem: error => void problems.push(error),
    later: run => void due.push(run),
  })
  return {
    store,
    following,
    problems,
    record(more: Partial<RecordRow> = {}) {
      const made = makeRow(ledger.length + 1, more)
      ledger.push(made)
      if (isConnected) row(made)
    },
    disconnect: () => {
      isConnected = false
    },
    reconnect() {
      if (isConnected) return
      isConnected = true
      gap()
    },
    async step() {
      due.shift()?.()
      await new Promise(resolve => setImmediate(resolve))
    },
    async settle() {
      while (due.length > 0) await this.step()
    },
  }
}

function seqsOf(store: ReturnType<typeof createRowStore>): readonly number[] {
  const shown = store.snapshot()
  return Array.from(
    { length: shown.count },
    (_, index) =>
      shown
        .lineAt(index)
        ?.calls.flatMap(({ rows }) => rows.map(({ seq }) => seq))
        .toReversed() ?? [],
  ).flat()
}

test('rows that come while the first page is on its way are neither lost nor doubled', async () => {
  const world = makeWorld()
  world.record()
  world.record()
  await world.step()
  world.record()
  await world.settle()
  expect(seqsOf(world.store)).toEqual([3, 2, 1])
})

test('whatever comes in whatever order, the list is the ledger without holes, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('record', 'record', 'step', 'disconnect', 'reconnect', 'older'), { maxLength: 80 }),
      async steps => {
        const world = makeWorld()
        let recorded = 0
        for (const step of steps) {
          if (step === 'record') {
            recorded += 1
            world.record()
          } else if (step === 'older') void world.following.loadOlder()
          else await world[step]()
        }
        world.reconnect()
        await world.settle()
        // A page that failed before anything was shown is asked for again by the person.
        await Promise.all([world.following.readAgain(), world.settle()])
        await world.settle()
        while (world.store.snapshot().next !== null) await Promise.all([world.following.loadOlder(), world.settle()])
        expect(seqsOf(world.store)).toEqual(Array.from({ length: recorded }, (_, index) => recorded - index))
      },
    ),
    { numRuns: 150 },
  )
})

test('only what passes the filter is let in from the stream', async () => {
  const world = makeWorld({ tool: 'Bash', text: 'PUSH' })
  await world.settle()
  world.record({ tool: 'Bash', summary: 'git push' })
  world.record({ tool: 'Read', summary: 'push' })
  world.record({ tool: 'Bash', summary: 'ls' })
  await world.settle()
  expect(seqsOf(world.store)).toEqual([1])
})

test('a daemon that does not answer is said, and the next answer takes it back', async () => {
  const world = makeWorld()
  world.disconnect()
  await world.settle()
  world.reconnect()
  await world.settle()
  expect(world.problems).toEqual([new Error('away'), null])
})
