// How a call went on after it was judged, in a word or two, and how long it took.
import type { RecordRow } from '#page/record.ts'
import { briefly } from '../part/time.ts'
import type { Tone } from '../part/tone.ts'

export interface CallResult {
  readonly words: string
  /** In a word, where it is no part of the verdict; null: there is nothing to say. */
  readonly brief: string | null
  readonly tone: Tone | null
}

interface Known {
  readonly row: RecordRow
  readonly end: RecordRow | null
  readonly request: RecordRow | null
  readonly isRunning: boolean
}

const NOTHING: CallResult = { words: '', brief: null, tone: null }
/** For how long says the clock. */
export const RUNS = 'runs'

export function resultOf({ row, end, request, isRunning }: Known): CallResult {
  if (end !== null && end !== row) {
    const took = briefly(Math.max(0, Date.parse(end.time) - Date.parse(row.time)))
    return end.kind === 'post_tool_use'
      ? { words: `done in ${took}`, brief: null, tone: null }
      : { words: `failed after ${took}`, brief: 'failed', tone: 'deny' }
  }
  if (row.kind === 'approval_requested') return asked(request === null || request === row ? 'waits' : answered(request))
  if (row.kind !== 'pre_tool_use') return NOTHING
  if (row.verdict === 'ask' && row.approval !== null)
    return asked(request === null || request.kind === 'approval_requested' ? 'not answered' : answered(request))
  if (row.verdict === 'ask') return asked('asks its user')
  if (row.verdict === 'deny') return { words: 'refused', brief: null, tone: 'deny' }
  return isRunning ? { words: RUNS, brief: RUNS, tone: 'allow' } : NOTHING
}

function asked(words: string): CallResult {
  return { words, brief: words, tone: 'ask' }
}

/** `request`: the last entry about it. */
function answered({ kind, verdict }: RecordRow): string {
  if (kind === 'approval_expired') return 'not answered'
  return verdict === 'allow' ? 'allowed later' : 'denied'
}

/** How long a person took; null: nobody was asked, or it did not wait. */
export function heldMs({ row, request }: Pick<Known, 'row' | 'request'>): number | null {
  return row.kind === 'pre_tool_use' && row.approval !== null && request !== null && row.verdict !== 'ask' ? row.tookMs : null
}
