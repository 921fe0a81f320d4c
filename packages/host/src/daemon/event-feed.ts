// What happens, as a stream that can be resumed: every subscriber that comes back with the id of the last event it saw gets what it
// missed, or is told that it missed more than is kept. A reader that is too slow is dropped; it can resume.

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

export function createEventFeed({ keep, firstId = 1 }: { readonly keep: number; readonly firstId?: number }): EventFeed {
  const kept: FeedEvent[] = []
  const listeners = new Set<(item: FeedItem) => void>()
  let lastId = firstId - 1

  return {
    publish(type, data) {
      const event = { id: ++lastId, type, data }
      kept.push(event)
      // Trimmed in bulk, so that publishing stays constant in time.
      if (kept.length > keep * 2) kept.splice(0, kept.length - keep)
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
