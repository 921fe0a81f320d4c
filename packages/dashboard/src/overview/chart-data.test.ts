import { expect, test } from 'vitest'
import type { Minute } from '#page/overview.ts'
import { latencyRange, mixOf, stackOf, stepsOf } from './chart-data.ts'

function minute(at: number, more: Partial<Minute> = {}): Minute {
  return { at: at * 60, allow: 0, deny: 0, ask: 0, none: 0, p50Ms: null, p90Ms: null, p99Ms: null, ...more }
}

test('an hour is drawn minute by minute', () => {
  const { steps, stepMinutes } = stepsOf(Array.from({ length: 60 }, (_, at) => minute(at)))
  expect([steps.length, stepMinutes]).toEqual([60, 1])
})

test('a day is drawn in steps: mean counts, highest percentiles', () => {
  const minutes = Array.from({ length: 1440 }, (_, at) => minute(at, at === 5 ? { allow: 24, p99Ms: 9 } : at === 6 ? { p99Ms: 3 } : {}))
  const { steps, stepMinutes } = stepsOf(minutes)
  expect([steps.length, stepMinutes]).toEqual([120, 12])
  expect(steps[0]).toMatchObject({ at: 0, counts: { allow: 2 }, p99Ms: 9, p50Ms: null })
})

test('the tallest of the stack is drawn first', () => {
  const { steps } = stepsOf([minute(0, { none: 1, allow: 2, ask: 3, deny: 4 })])
  expect(stackOf(steps)).toEqual([[10], [6], [3], [1]])
})

test('the mix counts everything', () => {
  expect(mixOf([minute(0, { allow: 2 }), minute(1, { deny: 1, allow: 1 })])).toEqual({ none: 0, allow: 3, ask: 0, deny: 1, total: 4 })
})

test('the scale of latencies always reaches past the budget', () => {
  expect(latencyRange([], 50)).toEqual([1, 100])
  const { steps } = stepsOf([minute(0, { p50Ms: 0.2, p99Ms: 700 })])
  expect(latencyRange(steps, 50)).toEqual([0.1, 1000])
})
