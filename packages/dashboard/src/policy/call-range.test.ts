import { expect, test } from 'vitest'
import { LAST_CALLS, RANGES, rangeOf } from './call-range.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

test('every choice is a range of its own, and the first is the last calls', () => {
  const ranges = RANGES.map(({ value }) => rangeOf({ ...LAST_CALLS, name: value }, NOW))
  expect(ranges).toEqual([
    null,
    { since: '2026-03-10T11:00:00.000Z' },
    { since: '2026-03-09T12:00:00.000Z' },
    { since: '2026-03-03T12:00:00.000Z' },
    { since: '2026-02-08T12:00:00.000Z' },
    {},
    {},
  ])
})

test('between two times: each end may be open, and the last minute is whole', () => {
  const local = (text: string) => new Date(text).toISOString()
  expect(rangeOf({ name: 'between', since: '2026-03-01T08:00', until: '2026-03-02T09:30' }, NOW)).toEqual({
    since: local('2026-03-01T08:00'),
    until: local('2026-03-02T09:30:59.999'),
  })
  expect(rangeOf({ name: 'between', since: '', until: '2026-03-02T09:30' }, NOW)).toEqual({ until: local('2026-03-02T09:30:59.999') })
})
