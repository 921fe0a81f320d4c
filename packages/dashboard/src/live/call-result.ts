// How a call went on after it was judged, in a word or two, and how long it took.
import type { RecordRow } from '#page/record.ts'
import { briefly } from '../part/time.ts'
import type { Tone } from '../part/tone.ts'

export interface CallResult {
  readonly words: string
  readonly tone: Tone | null
}

type Known = { readonly row: RecordRow; readonly end: RecordRow | null; readonly request: RecordRow | null }

const NOTHING: CallResult = { words: '', tone: null }

export function resultOf({ row, end, request }: Known): CallResult {
  if (end !== null && end !== row) {
    const took = briefly(Math.max(0, Date.parse(end.time) - Date.parse(row.time)))
    return end.kind === 'post_tool_use' ? { words: `done in ${took}`, tone: null } : { words: `failed after ${took}`, tone: 'deny' }
  }
  if (row.kind === 'approval_requested') return { words: request === null || request === row ? 'waits' : answered(request), tone: 'ask' }
  if (row.kind !== 'pre_tool_use') return NOTHING
  if (row.verdict === 'ask' && row.approval !== null)
    return { words: request === null || request.kind === 'approval_requested' ? 'not answered' : answered(request), tone: 'ask' }
  if (row.verdict === 'ask') return { words: 'asks its user', tone: 'ask' }
  return row.verdict === 'deny' ? { words: 'refused', tone: 'deny' } : NOTHING
}

/** `request`: the last entry about it. */
function answered({ kind, verdict }: RecordRow): string {
  if (kind === 'approval_expired') return 'not answered'
  return verdict === 'allow' ? 'allowed later' : 'denied'
}

/** How long a person took; null: nobody was asked, or it did not wait. */
export function heldMs({ row, request }: Known): number | null {
  return row.kind === 'pre_tool_use' && row.approval !== null && request !== null && row.verdict !== 'ask' ? row.tookMs : null
}
