import { expect, test } from 'vitest'
import { exportAddress, readFilter, readSearch } from './search.ts'

const now = Date.parse('2026-01-03T00:00:00.000Z')

const CASES = [
  ['', {}],
  ['rm -rf', { text: 'rm -rf' }],
  ['tool:Bash verdict:deny rm', { tool: 'Bash', verdict: 'deny', text: 'rm' }],
  ['AGENTID:a1', { agentId: 'a1' }],
  ['actor:"Ada Lovelace" x', { actor: 'Ada Lovelace', text: 'x' }],
  ['https://example.com', { text: 'https://example.com' }],
  ['tool:', { text: 'tool:' }],
  ['text:x', { text: 'text:x' }],
  ['since:2d', { since: '2026-01-01T00:00:00.000Z' }],
  ['since:30m until:2026-01-02', { since: '2026-01-02T23:30:00.000Z', until: '2026-01-02' }],
] as const

test.each(CASES)('%s', (typed, filter) => {
  expect(readSearch(typed, now)).toEqual(filter)
})

test('the address holds the filter, and nothing else is taken from it', () => {
  const params = new URLSearchParams('tool=Bash&text=a%26b&event=3&verdict=')
  expect(readFilter(params)).toEqual({ tool: 'Bash', text: 'a&b' })
  expect(exportAddress('csv', readFilter(params))).toBe('/v1/export?format=csv&tool=Bash&text=a%26b')
})
