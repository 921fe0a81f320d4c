import { expect, test } from 'vitest'
import { cutRange, move, readRange, zoom } from './lane-range.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const MINUTE = 60_000

test.each([
  ['', { from: NOW - 15 * MINUTE, until: NOW, isLive: true }],
  ['span=60', { from: NOW - 60 * MINUTE, until: NOW, isLive: true }],
  ['span=-1', { from: NOW - 15 * MINUTE, until: NOW, isLive: true }],
  ['from=2026-01-01T11:00:00Z&until=2026-01-01T11:30:00Z', { from: NOW - 60 * MINUTE, until: NOW - 30 * MINUTE, isLive: false }],
  ['from=2026-01-01T11:30:00Z&until=2026-01-01T11:00:00Z', { from: NOW - 15 * MINUTE, until: NOW, isLive: true }],
])('%s', (search, range) => {
  expect(readRange(new URLSearchParams(search), NOW)).toEqual(range)
})

test.each([
  ['', 4, { from: NOW - 4.12 * MINUTE, until: NOW, isLive: true }],
  ['', 0.1, { from: NOW - MINUTE, until: NOW, isLive: true }],
  ['', 600, { from: NOW - 15 * MINUTE, until: NOW, isLive: true }],
  ['span=5', 4, { from: NOW - 5 * MINUTE, until: NOW, isLive: true }],
])('"%s" where the first thing happened %d minutes ago', (search, minutes, range) => {
  expect(readRange(new URLSearchParams(search), NOW, NOW - minutes * MINUTE)).toEqual(range)
})

test('closer, further, along, and what was drawn over', () => {
  const range = { from: NOW, until: NOW + 100 * MINUTE }
  expect(zoom(range, 0.5)).toEqual({ from: NOW + 25 * MINUTE, until: NOW + 75 * MINUTE })
  expect(move(range, -0.5)).toEqual({ from: NOW - 50 * MINUTE, until: NOW + 50 * MINUTE })
  expect(cutRange(range, 0.6, 0.2)).toEqual({ from: NOW + 20 * MINUTE, until: NOW + 60 * MINUTE })
  expect(cutRange(range, 0.5, 0.501)).toBeNull()
})
