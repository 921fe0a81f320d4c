import { expect, test } from 'vitest'
import { isHeld, timeLeft } from './time-left.ts'

const now = Date.parse('2026-01-01T00:00:00.000Z')

const CASES = [
  ['2026-01-01T00:14:59.900Z', '14:59'],
  ['2026-01-01T00:01:00.000Z', '1:00'],
  ['2026-01-01T00:00:09.000Z', '0:09'],
  ['2026-01-01T02:05:30.000Z', '2 h 05 min'],
  ['2026-01-07T12:00:00.000Z', '6 d'],
  ['2026-01-01T00:00:00.000Z', 'over'],
  ['2025-12-31T23:59:00.000Z', 'over'],
  ['not a time', 'over'],
] as const

test.each(CASES)('%s leaves %s', (expiresAt, text) => {
  expect(timeLeft(expiresAt, now).text).toBe(text)
})

test('the last minute is urgent, and what is over is not', () => {
  const at = (ms: number) => timeLeft(new Date(now + ms).toISOString(), now)
  expect([at(59_999), at(60_000), at(0)].map(({ isUrgent, isOver }) => [isUrgent, isOver])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ])
})

test.each([
  ['2026-01-01T00:00:01.000Z', true],
  ['2026-01-01T00:00:00.000Z', false],
  [null, false],
])('held until %s: %s', (until, held) => expect(isHeld(until, now)).toBe(held))
