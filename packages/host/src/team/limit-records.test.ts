import { expect, test } from 'vitest'
import { createRecordLimit } from './limit-records.ts'

test('of a million refusals a few a minute are recorded, and the next one says how many there were', () => {
  let now = 0
  const limit = createRecordLimit(() => now)
  const tries = Array.from({ length: 1_000_000 }, () => limit.admit('hub_decision_refused'))
  expect(tries.filter(found => found !== null)).toEqual(Array(5).fill({}))
  expect(limit.admit('bundle_refused')).toEqual({})
  now = 60_000
  expect(limit.admit('hub_decision_refused')).toEqual({ more: 999_995 })
  expect(limit.admit('hub_decision_refused')).toEqual({})
})
