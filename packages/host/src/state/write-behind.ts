// Changed rows on their way to the database: many at once, a moment later. A write that fails is kept and tried again with the next.
import type { Store } from '../store/store.ts'
import type { RowMirror } from './row-mirror.ts'
import type { AgentRow, EffortRow, SessionRow } from './work-row.ts'
import { prepareWorkWrites } from './work-write.ts'

export interface WriteBehind {
  changed(row: AgentRow | SessionRow | EffortRow): void
  isWaiting(row: object): boolean
  /** Its last state is written by somebody else. */
  forget(row: SessionRow): void
  /** Resolves when everything that changed before is on disk. */
  flush(): Promise<void>
}

const FLUSH_MS = 250

export function createWriteBehind(store: Store, mirror: RowMirror, onFailure: (error: unknown) => void): WriteBehind {
  const dirty = new Set<AgentRow | SessionRow | EffortRow>()
  const write = prepareWorkWrites(store)
  let timer: NodeJS.Timeout | null = null

  /** The write that is going on: whoever flushes meanwhile waits for it too. */
  let writing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    const written = writing.then(writeDirty)
    writing = written.catch(() => undefined)
    return written
  }

  async function writeDirty(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (dirty.size === 0) return
    const rows = [...dirty]
    dirty.clear()
    mirror.flush()
    try {
      await store.commit(write(rows))
    } catch (error) {
      for (const row of rows) dirty.add(row)
      throw error
    }
  }

  return {
    changed(row) {
      dirty.add(row)
      mirror.changed(row)
      timer ??= setTimeout(() => void flush().catch(onFailure), FLUSH_MS).unref()
    },
    isWaiting: row => dirty.has(row as AgentRow),
    forget(row) {
      dirty.delete(row)
      mirror.closed(row)
    },
    flush,
  }
}
