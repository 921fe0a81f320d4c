// Fills the store: the newest page, then the stream; after a gap, what was missed. Rows of the stream wait while a page is on its way, so
// none is lost between the two, and the store knows each by its seq, so none is there twice.
import type { RecordFilter, RecordPage, RecordRow } from '#page/record.ts'
import { matchRow } from './match-row.ts'
import type { RowStore } from './row-store.ts'

export interface FollowOptions {
  readonly store: RowStore
  readonly filter: RecordFilter
  load(before: number | null): Promise<RecordPage>
  onRow(listener: (row: RecordRow) => void): () => void
  /** Something may have been missed. */
  onGap(listener: () => void): () => void
  onProblem(error: Error | null): void
  later(run: () => void, ms: number): void
}

export interface Following {
  loadOlder(): Promise<void>
  readAgain(): Promise<void>
  stop(): void
}

/** Faster than people notice, slower than frames: a burst is drawn once. */
const BATCH_MS = 50
/** One who missed more starts anew. */
const MAX_PAGES = 5

export function followRows({ store, filter, load, onRow, onGap, onProblem, later }: FollowOptions): Following {
  let batch: RecordRow[] = []
  let isFlushDue = false
  let isReading = false
  let isOlderOnItsWay = false
  let isStopped = false

  function flush(): void {
    isFlushDue = false
    if (isReading || isStopped) return
    const rows = batch
    batch = []
    store.add(rows)
  }

  async function read(): Promise<void> {
    isReading = true
    try {
      await catchUp(store, load, () => isStopped)
      onProblem(null)
    } catch (error) {
      if (!isStopped) onProblem(error as Error)
    } finally {
      isReading = false
      flush()
    }
  }

  const stops = [
    onRow(row => {
      if (!matchRow(row, filter)) return
      batch.push(row)
      if (isFlushDue) return
      isFlushDue = true
      later(flush, BATCH_MS)
    }),
    onGap(() => void read()),
  ]
  void read()

  return {
    async loadOlder() {
      const { next, isLoaded } = store.snapshot()
      if (next === null || isOlderOnItsWay || !isLoaded) return
      isOlderOnItsWay = true
      try {
        const page = await load(next)
        if (!isStopped && store.snapshot().next === next) store.addOlder(page.rows, page.next)
      } catch (error) {
        if (!isStopped) onProblem(error as Error)
      } finally {
        isOlderOnItsWay = false
      }
    },
    readAgain: read,
    stop() {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}

async function catchUp(store: RowStore, load: FollowOptions['load'], isStopped: () => boolean): Promise<void> {
  const missed: RecordRow[] = []
  let before: number | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await load(before)
    if (isStopped()) return
    const known = store.snapshot().isLoaded ? store.newestSeq : 0
    missed.push(...page.rows.filter(({ seq }) => seq > known))
    before = page.next
    if (known > 0 && (before === null || before <= known + 1 || page.rows.some(({ seq }) => seq <= known)))
      return store.add(missed.reverse())
    if (known === 0 && (missed.length > 0 || before === null)) break
  }
  store.replace(missed, before)
}
