// What happens, as a stream that can be resumed: every subscriber that comes back with the id of the last event it saw gets what it
// missed, or is told that it missed more than is kept. A reader that is too slow is dropped; it can resume. Kept is a number of events, and
// fewer of them where they are large: a thousand written files would not fit into memory.
import { countText } from './count-text.ts'

export interface FeedEvent {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

export type FeedItem = FeedEvent | { readonly type: 'gap'; readonly id: number; readonly data: { readonly missed: number } }

export interface EventFeed {
  publish(type: string, data: unknown): FeedEvent
  /** Calls back for everything after `since` (null: from now on) until the undo is called. */
  subscribe(since: number | null, listener: (item: FeedItem) => void): () => void
  readonly lastId: number
  readonly subscribers: number
}

export interface FeedOptions {
  readonly keep: number
  /** About how many characters of text all kept events may have together. */
  readonly keepText?: number
  readonly firstId?: number
}

export function createEventFeed({ keep, keepText = 8 * 1024 * 1024, firstId = 1 }: FeedOptions): EventFeed {
  const kept: FeedEvent[] = []
  const lengths: number[] = []
  let length = 0
  const listeners = new Set<(item: FeedItem) => void>()
  let lastId = firstId - 1

  /** Trimmed in bulk, so that publishing stays constant in time. */
  function keepEvent(event: FeedEvent): void {
    const text = countText(event.data)
    kept.push(event)
    lengths.push(text)
    length += text
    if (kept.length <= keep * 2 && length <= keepText * 2) return
    let gone = 0
    while (kept.length - gone > keep || (length > keepText && gone < kept.length - 1)) length -= lengths[gone++] ?? 0
    kept.splice(0, gone)
    lengths.splice(0, gone)
  }

  return {
    publish(type, data) {
      const event = { id: ++lastId, type, data }
      keepEvent(event)
      for (const listener of listeners) listener(event)
      return event
    },
    subscribe(since, listener) {
      if (since !== null) replay(kept, { since, lastId }, listener)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get lastId() {
      return lastId
    },
    get subscribers() {
      return listeners.size
    },
  }
}

function replay(
  kept: readonly FeedEvent[],
  { since, lastId }: { since: number; lastId: number },
  listener: (item: FeedItem) => void,
): void {
  // An id from before a restart may be ahead of ours: everything kept is new to that reader.
  const from = since > lastId ? 0 : since
  const oldest = kept[0]?.id ?? lastId + 1
  if (from + 1 < oldest) listener({ type: 'gap', id: oldest - 1, data: { missed: oldest - 1 - from } })
  for (const event of kept) if (event.id > from) listener(event)
}
