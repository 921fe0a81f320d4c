import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-source.ts'

const TEXT =
  ': open\n\nid: 7\nevent: row\ndata: {"seq":1}\n\n: awake\n\nid: 8\nevent: gap\ndata: {"missed":3}\n\nid: 9\nevent: row\ndata: {"half'

function read(pieces: readonly string[]): unknown[] {
  const told: unknown[] = []
  const reader = createEventReader((...event) => told.push(event))
  for (const piece of pieces) reader(piece)
  return told
}

test('events are the same however the text is cut, and half an event is none', () => {
  const whole = [
    ['row', '{"seq":1}', '7'],
    ['gap', '{"missed":3}', '8'],
  ]
  expect(read([TEXT])).toEqual(whole)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(TEXT.length)), cuts => {
      const ends = [...cuts.sort((a, b) => a - b), TEXT.length]
      const pieces = ends.map((end, index) => TEXT.slice(ends[index - 1] ?? 0, end))
      expect(read(pieces)).toEqual(whole)
    }),
  )
})
