import { expect, test } from 'vitest'
import { createStream, type Source } from './create-stream.ts'

interface FakeSource extends Source {
  readonly url: string
  isClosed: boolean
  fire(type: string, id?: number, data?: unknown): void
}

/** Stands for the browser's EventSource. */
function makeWorld(isWelcome = true) {
  const sources: FakeSource[] = []
  const timers: (() => void)[] = []
  const stream = createStream({
    open(url) {
      const listeners = new Map<string, (event: { data: string; lastEventId: string }) => void>()
      const source: FakeSource = {
        url,
        isClosed: false,
        addEventListener: (type, listener) => void listeners.set(type, listener),
        close: () => {
          source.isClosed = true
        },
        fire: (type, id = 0, data = null) => listeners.get(type)?.({ data: JSON.stringify(data), lastEventId: String(id) }),
      }
      sources.push(source)
      return source
    },
    now: () => 1000,
    later: run => void timers.push(run),
    isWelcome: async () => isWelcome,
  })
  return { stream, sources, timers }
}

async function settle(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}

test('it comes back with the id of the last event, and passes nothing twice', async () => {
  const { stream, sources, timers } = makeWorld()
  const seen: unknown[] = []
  stream.onEvent('row', data => seen.push(data))
  stream.start()
  sources[0]?.fire('open')
  sources[0]?.fire('row', 5, 'a')
  sources[0]?.fire('error')
  expect(stream.status()).toEqual({ state: 'reconnecting', since: 1000 })
  await settle()
  timers.shift()?.()
  expect(sources[0]?.isClosed).toBe(true)
  expect(new URL(sources[1]?.url ?? '', 'http://x').searchParams.get('since')).toBe('5')
  sources[1]?.fire('open')
  sources[1]?.fire('row', 5, 'a')
  sources[1]?.fire('row', 6, 'b')
  expect(seen).toEqual(['a', 'b'])
  expect(stream.status()).toEqual({ state: 'live', since: null })
})

test('a gap is told, and so is a connection lost before its first event', async () => {
  const { stream, sources, timers } = makeWorld()
  const gaps: unknown[] = []
  stream.onEvent('gap', data => gaps.push(data))
  stream.start()
  sources[0]?.fire('open')
  sources[0]?.fire('error')
  await settle()
  timers.shift()?.()
  sources[1]?.fire('open')
  sources[1]?.fire('gap', 9, { missed: 3 })
  expect(gaps).toEqual([{ missed: null }, { missed: 3 }])
})

test('without a session it ends and asks no more', async () => {
  const { stream, sources, timers } = makeWorld(false)
  stream.start()
  sources[0]?.fire('error')
  await settle()
  expect(stream.status().state).toBe('ended')
  expect(timers).toEqual([])
})
