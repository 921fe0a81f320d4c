import { describe, expect, test } from 'vitest'
import { createEventReader, type StreamedEvent } from './follow-events.ts'

const STREAM =
  ': open\n\nid: 7\nevent: agent.status\ndata: {"agent":"a: b"}\n\n: awake\n\nid: 8\nevent: run.restart\ndata: {broken\n\nid: 9\nevent: x\ndata: null\n\nid: 10\nevent: cut'

describe('reading a stream of events', () => {
  for (const size of [1, 3, 17, STREAM.length]) {
    test(`in pieces of ${size} characters`, () => {
      const events: StreamedEvent[] = []
      const read = createEventReader(event => events.push(event))
      for (let at = 0; at < STREAM.length; at += size) read(STREAM.slice(at, at + size))
      expect(events).toEqual([
        { id: '7', type: 'agent.status', data: { agent: 'a: b' } },
        { id: '9', type: 'x', data: null },
      ])
    })
  }
})
