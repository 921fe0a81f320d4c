// Which recorded calls a text is compared with: the last ones, those of a while, or those between two times.
import type { CallRange } from './use-comparing.ts'

const HOUR = 3_600_000

export const RANGES = [
  { value: 'last', text: 'the last 500 calls' },
  { value: 'hour', text: 'the last hour', ms: HOUR },
  { value: 'day', text: 'the last 24 hours', ms: 24 * HOUR },
  { value: 'week', text: 'the last 7 days', ms: 7 * 24 * HOUR },
  { value: 'month', text: 'the last 30 days', ms: 30 * 24 * HOUR },
  { value: 'all', text: 'every call' },
  { value: 'between', text: 'between two times' },
] as const

export interface ChosenRange {
  readonly name: string
  /** As the browser gives them, in the reader's zone; empty: open. */
  readonly since: string
  readonly until: string
}

export const LAST_CALLS: ChosenRange = { name: 'last', since: '', until: '' }

/** null: the last calls. */
export function rangeOf({ name, since, until }: ChosenRange, now: number): CallRange | null {
  if (name === 'last') return null
  if (name === 'between') return { ...timeOf('since', since), ...timeOf('until', until) }
  const chosen = RANGES.find(({ value }) => value === name)
  return chosen !== undefined && 'ms' in chosen ? { since: new Date(now - chosen.ms).toISOString() } : {}
}

/** A time without a zone is the reader's; a whole minute ends with its last moment. */
function timeOf(name: 'since' | 'until', text: string): CallRange {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return {}
  return { [name]: new Date(name === 'until' ? time + 59_999 : time).toISOString() }
}
