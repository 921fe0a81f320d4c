// Repeats of one agent become one line that counts up in place: what comes in bursts stays readable, and nothing jumps. What was refused,
// asked, rewritten or went wrong is never folded away.
import type { RecordRow } from '#page/record.ts'

export interface Group {
  /** Oldest first, at least one. The array grows while the group is open. */
  readonly rows: RecordRow[]
}

/** People work slower than this, so their calls stay on lines of their own. */
const BURST_MS = 1000
/** A line is settled after this, so that the newest activity is near the top. */
const MAX_MS = 5000
const MAX_OPEN = 500

interface Open {
  readonly group: Group
  readonly firstMs: number
  lastMs: number
}

export interface Grouper {
  /** Puts the next newer row into `groups`, on its own or into an open group. */
  add(groups: Group[], row: RecordRow): void
  /** Nothing joins what is there. */
  close(): void
}

export function createGrouper(): Grouper {
  const open = new Map<string, Open>()
  return {
    add(groups, row) {
      const key = keyOf(row)
      const atMs = Date.parse(row.time)
      const found = key === null ? undefined : open.get(key)
      if (found !== undefined && atMs - found.lastMs <= BURST_MS && atMs - found.firstMs <= MAX_MS) {
        found.group.rows.push(row)
        found.lastMs = atMs
        return
      }
      const group = { rows: [row] }
      groups.push(group)
      if (key === null) return
      if (open.size >= MAX_OPEN) open.clear()
      open.set(key, { group, firstMs: atMs, lastMs: atMs })
    },
    close: () => open.clear(),
  }
}

function keyOf(row: RecordRow): string | null {
  if (row.verdict === 'deny' || row.verdict === 'ask' || row.isRewritten || row.hasFailedHook || row.tool === null) return null
  // Of a command the text is what happened; of a search or a file read, how many there were says enough.
  const what = row.tool === 'Bash' ? row.summary : ''
  return [row.agentId, row.session, row.kind, row.tool, row.verdict, row.rule, what].join('\0')
}
