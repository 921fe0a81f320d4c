// The rows of the Live page, outside React: newer ones come from the stream, older ones by scrolling. While held (paused, or scrolled away
// from the top) new rows wait and are counted, and nothing that is on screen moves. Each entry is in it once, known by its seq.
import type { RecordRow } from '#page/record.ts'
import { createGrouper, type Group } from './group-rows.ts'

export interface RowSnapshot {
  /** Newest first by index. */
  readonly count: number
  lineAt(index: number): Group | undefined
  readonly rows: number
  /** One of them is about an agent; what people do alone is no news of one. */
  readonly hasAgents: boolean
  readonly waiting: number
  /** Where older rows go on; null: there are none. */
  readonly next: number | null
  readonly isLoaded: boolean
}

export interface RowStore {
  subscribe(listener: () => void): () => void
  snapshot(): RowSnapshot
  /** Newer rows, oldest first; known ones are left out. */
  add(rows: readonly RecordRow[]): void
  /** Older rows, newest first. */
  addOlder(rows: readonly RecordRow[], next: number | null): void
  /** All rows, newest first. */
  replace(rows: readonly RecordRow[], next: number | null): void
  hold(isHeld: boolean): void
  readonly newestSeq: number
}

export interface RowStoreOptions {
  /** Rows kept while streaming. Scrolling back reaches further and is let go at the next flush. */
  readonly keep?: number
}

const KEEP = 20_000
/** Trimmed in bulk, so that adding stays constant in time. */
const SLACK = 2000

export function createRowStore({ keep = KEEP }: RowStoreOptions = {}): RowStore {
  const listeners = new Set<() => void>()
  const grouper = createGrouper()
  let groups: Group[] = []
  let rows = 0
  let hasAgents = false
  let waiting: RecordRow[] = []
  let hasHole = false
  let isHeld = false
  let isLoaded = false
  let next: number | null = null
  let newestSeq = 0
  let snapshot = take()

  function take(): RowSnapshot {
    const shown = groups
    const count = shown.length
    return { count, lineAt: index => shown[count - 1 - index], rows, hasAgents, waiting: waiting.length, next, isLoaded }
  }

  function tell(): void {
    snapshot = take()
    for (const listener of listeners) listener()
  }

  function show(fresh: readonly RecordRow[]): void {
    for (const row of fresh) grouper.add(groups, row)
    rows += fresh.length
    hasAgents ||= fresh.some(isAboutAgent)
    if (rows > keep + SLACK) trim()
  }

  /** A new array: what is on screen still looks at the one before. */
  function trim(): void {
    let gone = 0
    while (rows > keep && gone < groups.length - 1) rows -= groups[gone++]?.rows.length ?? 0
    groups = groups.slice(gone)
    next = groups[0]?.rows[0]?.seq ?? next
  }

  function reset(newestFirst: readonly RecordRow[], from: number | null): void {
    groups = []
    rows = 0
    hasAgents = false
    grouper.close()
    waiting = []
    hasHole = false
    next = from
    show(newestFirst.toReversed())
  }

  function release(): void {
    if (hasHole) reset(waiting.toReversed(), waiting[0]?.seq ?? null)
    else show(waiting)
    waiting = []
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot: () => snapshot,
    add(newer) {
      const fresh = newer.filter(({ seq }) => seq > newestSeq)
      const last = fresh.at(-1)
      if (last === undefined) return
      newestSeq = last.seq
      if (!isHeld) show(fresh)
      else {
        waiting.push(...fresh)
        if (waiting.length > keep + SLACK) {
          waiting = waiting.slice(-keep)
          hasHole = true
        }
      }
      tell()
    },
    addOlder(older, from) {
      const oldest = groups[0]?.rows[0]?.seq ?? Number.POSITIVE_INFINITY
      const fresh = older.filter(({ seq }) => seq < oldest)
      const before: Group[] = []
      const own = createGrouper()
      for (const row of fresh.toReversed()) own.add(before, row)
      groups = [...before, ...groups]
      rows += fresh.length
      hasAgents ||= fresh.some(isAboutAgent)
      next = from
      tell()
    },
    replace(newestFirst, from) {
      reset(newestFirst, from)
      newestSeq = Math.max(newestSeq, newestFirst[0]?.seq ?? 0)
      isLoaded = true
      tell()
    },
    hold(wanted) {
      if (wanted === isHeld) return
      isHeld = wanted
      if (isHeld) return
      if (waiting.length > 0) release()
      else if (rows > keep + SLACK) trim()
      tell()
    },
    get newestSeq() {
      return newestSeq
    },
  }
}

function isAboutAgent({ agent }: RecordRow): boolean {
  return agent !== null
}
