import { expect, test } from 'vitest'
import { createEventId } from './event-id.ts'

test.each([
  [0, () => 0, '00000000-0000-7000-8000-000000000000'],
  [1_760_000_000_000, () => 0.5, '0199c82c-c000-7800-8800-800000800000'],
  [1_760_000_000_000.9, () => 0.999999999, '0199c82c-c000-7fff-8fff-ffffffffffff'],
])('%d', (nowMs, random, id) => {
  expect(createEventId(nowMs, random)).toBe(id)
})

test('ids of later calls sort behind', () => {
  const ids = [1, 20, 300, 4000].map(ms => createEventId(1_760_000_000_000 + ms))
  expect(ids.toSorted()).toEqual(ids)
})
