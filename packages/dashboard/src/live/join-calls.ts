// Which entries are about one call: before it, held, answered, after it, its evidence. Known by the agent's own id of the call, by the
// request that a person was asked, or, where an agent gives no ids, by being the last open call of the same text.
import type { RecordRow } from '#page/record.ts'

export interface Call {
  /** Oldest first, at least one. The array grows as more becomes known of the call. */
  readonly rows: RecordRow[]
}

export interface CallJoiner {
  /** The call that a newer row belongs to, with the row in it; null: it begins one, or is none of a call. */
  join(row: RecordRow): Call | null
  /** The same for a row older than all there is: the beginning of a call whose end is known. */
  joinBefore(row: RecordRow): Call | null
  /** A call that begins with this row. */
  begin(row: RecordRow): Call
  forget(): void
}

/** What was not heard of for this many calls has ended. */
const MAX_KNOWN = 4000

export function createCallJoiner(): CallJoiner {
  const known = new Map<string, Call>()

  function note(row: RecordRow, call: Call): void {
    for (const key of keysOf(row)) {
      known.delete(key)
      known.set(key, call)
    }
    for (const key of known.keys()) {
      if (known.size <= MAX_KNOWN) break
      known.delete(key)
    }
  }

  function find(row: RecordRow): Call | null {
    for (const key of keysOf(row)) {
      const call = known.get(key)
      if (call !== undefined && mayJoin(call, row)) return call
    }
    return null
  }

  return {
    join(row) {
      const call = find(row)
      if (call === null) return null
      call.rows.push(row)
      note(row, call)
      return call
    },
    joinBefore(row) {
      const call = find(row)
      if (call === null || call.rows.some(({ seq }) => seq === row.seq)) return null
      call.rows.unshift(row)
      return call
    },
    begin(row) {
      const call = { rows: [row] }
      note(row, call)
      return call
    },
    forget: () => known.clear(),
  }
}

function keysOf(row: RecordRow): readonly string[] {
  const { session, callId, approval, tool, summary } = row
  if (tool === null && callId === null && approval === null) return []
  const keys: string[] = []
  if (callId !== null) keys.push(`id ${session} ${callId}`)
  if (approval !== null) keys.push(`request ${approval}`)
  // A request has no id of its call, and some agents give none at all.
  if (tool !== null && (callId === null || row.kind === 'pre_tool_use')) keys.push(`text ${session} ${tool} ${summary}`)
  return keys
}

/** Every call is judged once and ends once; the same text again is another call. */
function mayJoin({ rows }: Call, row: RecordRow): boolean {
  const other = rows.find(({ callId }) => callId !== null)
  if (other !== undefined && row.callId !== null && other.callId !== row.callId) return false
  if (row.kind === 'pre_tool_use' || row.kind === 'approval_requested') return !rows.some(({ kind }) => kind === row.kind)
  if (isEnd(row)) return !rows.some(isEnd)
  return true
}

export function isEnd({ kind }: RecordRow): boolean {
  return kind === 'post_tool_use' || kind === 'post_tool_use_failure'
}
