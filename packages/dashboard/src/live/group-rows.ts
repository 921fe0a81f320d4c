// One line for each call, however many entries it has, and one for a burst of repeats of one agent: it counts up in place, so what comes in
// bursts stays readable and nothing jumps. What was refused, asked, rewritten or went wrong is never folded away.
import type { RecordRow } from '#page/record.ts'
import { type Call, createCallJoiner } from './join-calls.ts'

export interface Group {
  /** Oldest first, at least one; more: a burst. The array grows while the group is open. */
  readonly calls: Call[]
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
  /** Puts the next newer row into `groups`: to its call, into an open burst, or on a line of its own. */
  add(groups: Group[], row: RecordRow): void
  /** Puts a row that is older than all others to its call; false: none of the known ones is. */
  addBefore(row: RecordRow): boolean
  /** Nothing joins what is there. */
  close(): void
}

export function createGrouper(): Grouper {
  const open = new Map<string, Open>()
  const joiner = createCallJoiner()
  return {
    add(groups, row) {
      if (joiner.join(row) !== null) return
      const call = joiner.begin(row)
      const key = keyOf(row)
      const atMs = Date.parse(row.time)
      const found = key === null ? undefined : open.get(key)
      if (found !== undefined && atMs - found.lastMs <= BURST_MS && atMs - found.firstMs <= MAX_MS && !hasFailed(found.group)) {
        found.group.calls.push(call)
        found.lastMs = atMs
        return
      }
      const group = { calls: [call] }
      groups.push(group)
      if (key === null) return
      if (open.size >= MAX_OPEN) open.clear()
      open.set(key, { group, firstMs: atMs, lastMs: atMs })
    },
    addBefore: row => joiner.joinBefore(row) !== null,
    close() {
      open.clear()
      joiner.forget()
    },
  }
}

/** The last of them: the next one begins a line of its own, so that the failure stays in sight. */
function hasFailed({ calls }: Group): boolean {
  return calls.at(-1)?.rows.some(({ kind }) => kind === 'post_tool_use_failure') === true
}

function keyOf(row: RecordRow): string | null {
  if (row.verdict === 'deny' || row.verdict === 'ask' || row.isRewritten || row.hasFailedHook || row.tool === null) return null
  // Of a command the text is what happened; of a search or a file read, how many there were says enough.
  const what = row.tool === 'Bash' ? row.summary : ''
  return [row.agentId, row.session, row.kind, row.tool, row.verdict, row.rule, what].join('\0')
}

export function firstSeq({ calls }: Group): number {
  return calls[0]?.rows[0]?.seq ?? 0
}

export function countRows({ calls }: Group): number {
  return calls.reduce((sum, { rows }) => sum + rows.length, 0)
}
