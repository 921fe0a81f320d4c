// The rows of the Live page, outside React: newer ones come from the stream, older ones by scrolling. While held (paused, or scrolled away
// from the top) new rows wait and are counted, and nothing that is on screen moves. Each entry is in it once, known by its seq.
import type { RecordRow } from '#page/record.ts'
import { countRows, createGrouper, firstSeq, type Group } from './group-rows.ts'

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
  let oldestSeq = Number.POSITIVE_INFINITY
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
    const news = fresh.filter(isNews)
    for (const row of news) grouper.add(groups, row)
    rows += news.length
    oldestSeq = Math.min(oldestSeq, fresh[0]?.seq ?? oldestSeq)
    hasAgents ||= fresh.some(isAboutAgent)
    if (rows > keep + SLACK) trim()
  }

  /** A new array: what is on screen still looks at the one before. */
  function trim(): void {
    let gone = 0
    for (const group of groups.slice(0, -1)) {
      if (rows <= keep) break
      rows -= countRows(group)
      gone++
    }
    groups = groups.slice(gone)
    oldestSeq = groups[0] === undefined ? oldestSeq : firstSeq(groups[0])
    next = oldestSeq
  }

  function reset(newestFirst: readonly RecordRow[], from: number | null): void {
    groups = []
    rows = 0
    hasAgents = false
    grouper.close()
    oldestSeq = Number.POSITIVE_INFINITY
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
      const fresh = older.filter(({ seq }) => seq < oldestSeq)
      const before: Group[] = []
      const own = createGrouper()
      // Nearest first: what belongs to a call on screen goes there, and nothing below it moves.
      const news = fresh.filter(isNews)
      const others = news.filter(row => !grouper.addBefore(row))
      for (const row of others.toReversed()) own.add(before, row)
      groups = [...before, ...groups]
      oldestSeq = Math.min(oldestSeq, fresh.at(-1)?.seq ?? oldestSeq)
      rows += news.length
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

/** That a person came in is in the ledger; between the calls of agents it is noise. */
function isNews({ kind, verdict }: RecordRow): boolean {
  return kind !== 'person_check' || verdict === 'deny'
}

function isAboutAgent({ agent }: RecordRow): boolean {
  return agent !== null
}
