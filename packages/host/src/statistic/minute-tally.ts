// Events by minute of the last day, with how long decisions took, and how many there were in the last seconds.
import type { Minute } from '../page/overview.ts'
import type { Verdict } from '../page/record.ts'
import { addDuration, addHistogram, createHistogram, type Histogram, percentile } from './histogram.ts'

export interface MinuteTally {
  add(timeMs: number, verdict: Verdict, tookMs: number): void
  /** The last `count` minutes without holes, oldest first; the last one is not over yet. */
  list(nowMs: number, count: number): readonly Minute[]
  perSecond(nowMs: number): number
  p99Ms(nowMs: number): number | null
}

export const MAX_MINUTES: number = 24 * 60
const MINUTE_MS = 60_000
const RATE_SECONDS = 10
const P99_MINUTES = 5

interface Counted extends Record<Verdict, number> {
  readonly durations: Histogram
}

export function createMinuteTally(): MinuteTally {
  const minutes = new Map<number, Counted>()
  const seconds = createSecondCounts()
  let newest = 0

  /** null: too long ago. */
  function minuteAt(index: number): Counted | null {
    const known = minutes.get(index)
    if (known !== undefined) return known
    if (index <= newest - MAX_MINUTES) return null
    newest = Math.max(newest, index)
    const made = { allow: 0, deny: 0, ask: 0, none: 0, durations: createHistogram() }
    minutes.set(index, made)
    for (const old of minutes.keys()) if (old <= newest - MAX_MINUTES) minutes.delete(old)
    return made
  }

  return {
    add(timeMs, verdict, tookMs) {
      const minute = minuteAt(Math.floor(timeMs / MINUTE_MS))
      if (minute === null) return
      minute[verdict]++
      addDuration(minute.durations, tookMs)
      seconds.add(timeMs)
    },
    list(nowMs, count) {
      const last = Math.floor(nowMs / MINUTE_MS)
      return Array.from({ length: count }, (_, index) => describe(last - count + 1 + index, minutes.get(last - count + 1 + index)))
    },
    perSecond: seconds.perSecond,
    p99Ms(nowMs) {
      const last = Math.floor(nowMs / MINUTE_MS)
      const durations = createHistogram()
      for (let index = last - P99_MINUTES + 1; index <= last; index++) {
        const minute = minutes.get(index)
        if (minute !== undefined) addHistogram(durations, minute.durations)
      }
      return percentile(durations, 0.99)
    },
  }
}

function describe(index: number, counted: Counted | undefined): Minute {
  const at = index * 60
  if (counted === undefined) return { at, allow: 0, deny: 0, ask: 0, none: 0, p50Ms: null, p90Ms: null, p99Ms: null }
  const { allow, deny, ask, none, durations } = counted
  return {
    at,
    allow,
    deny,
    ask,
    none,
    p50Ms: percentile(durations, 0.5),
    p90Ms: percentile(durations, 0.9),
    p99Ms: percentile(durations, 0.99),
  }
}

interface SecondCounts {
  add(timeMs: number): void
  perSecond(nowMs: number): number
}

function createSecondCounts(): SecondCounts {
  const size = RATE_SECONDS * 2
  const counts = new Float64Array(size)
  const seconds = new Float64Array(size)
  return {
    add(timeMs) {
      const second = Math.floor(timeMs / 1000)
      const place = second % size
      if (second < (seconds[place] ?? 0)) return
      if (seconds[place] !== second) counts[place] = 0
      seconds[place] = second
      counts[place] = (counts[place] ?? 0) + 1
    },
    perSecond(nowMs) {
      const now = Math.floor(nowMs / 1000)
      let total = 0
      for (let place = 0; place < size; place++) {
        const age = now - (seconds[place] ?? 0)
        if (age > 0 && age <= RATE_SECONDS) total += counts[place] ?? 0
      }
      return total / RATE_SECONDS
    },
  }
}
