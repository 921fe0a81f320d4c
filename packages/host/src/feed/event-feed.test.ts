import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventFeed, type FeedItem } from './event-feed.ts'

function collect(feed: ReturnType<typeof createEventFeed>, since: number | null): FeedItem[] {
  const items: FeedItem[] = []
  feed.subscribe(since, item => void items.push(item))
  return items
}

test('a new subscriber sees what comes, not what was', () => {
  const feed = createEventFeed({ keep: 10 })
  feed.publish('a', 1)
  const items = collect(feed, null)
  feed.publish('b', 2)
  expect(items).toEqual([{ id: 2, type: 'b', data: 2 }])
})

test('one that comes back gets what it missed, once', () => {
  const feed = createEventFeed({ keep: 10 })
  for (let n = 1; n <= 5; n++) feed.publish('n', n)
  const items = collect(feed, 3)
  feed.publish('n', 6)
  expect(items.map(item => item.id)).toEqual([4, 5, 6])
})

test('one that missed more than is kept is told how much', () => {
  const feed = createEventFeed({ keep: 3 })
  for (let n = 1; n <= 20; n++) feed.publish('n', n)
  const [gap, first] = collect(feed, 2)
  expect(gap).toEqual({ type: 'gap', id: Number(first?.id) - 1, data: { missed: Number(first?.id) - 3 } })
})

test('large events push older ones out sooner, but the last one stays', () => {
  const feed = createEventFeed({ keep: 100, keepText: 1000 })
  for (let n = 1; n <= 50; n++) feed.publish('n', { body: { input: { content: 'x'.repeat(100) } } })
  const kept = collect(feed, 0).filter(({ type }) => type === 'n').length
  expect(kept).toBeGreaterThanOrEqual(10)
  expect(kept).toBeLessThanOrEqual(20)
  feed.publish('huge', 'x'.repeat(100_000))
  expect(collect(feed, 0).map(({ type }) => type)).toEqual(['gap', 'huge'])
})

test('an id from before a restart gives everything kept', () => {
  const feed = createEventFeed({ keep: 10 })
  feed.publish('n', 1)
  expect(collect(feed, 99)).toEqual([{ id: 1, type: 'n', data: 1 }])
})

test('however often a reader leaves and resumes, it sees every event once and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('publish', 'resume'), { maxLength: 60 }), steps => {
      const feed = createEventFeed({ keep: 100 })
      const seen: number[] = []
      let stop: () => void = () => undefined
      for (const step of steps) {
        if (step === 'publish') feed.publish('n', null)
        else {
          stop()
          stop = feed.subscribe(seen.at(-1) ?? 0, item => void seen.push(item.id))
        }
      }
      stop()
      feed.subscribe(seen.at(-1) ?? 0, item => void seen.push(item.id))
      expect(seen).toEqual(Array.from({ length: feed.lastId }, (_, index) => index + 1))
    }),
  )
})
