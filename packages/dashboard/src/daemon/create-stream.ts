// The page's one stream of events. It resumes by the id of the last event seen, passes nothing twice (ids of the feed only grow, also over
// restarts of the daemon), and tells `gap` where something may have been missed: whoever shows a list loads it again.

export type StreamType = 'row' | 'approval' | 'agent.status' | 'verification' | 'commitment' | 'hook' | 'gap'

export interface StreamStatus {
  readonly state: 'live' | 'reconnecting' | 'ended'
  /** Since when it is not live, as Date.now(); null: it is. */
  readonly since: number | null
}

type Listener = (data: unknown) => void

export interface Source {
  addEventListener(type: string, listener: (event: { readonly data: string; readonly lastEventId: string }) => void): void
  close(): void
}

export interface StreamOptions {
  open(url: string): Source
  now(): number
  later(run: () => void, ms: number): void
  /** Resolves to false where there is no session any more. */
  isWelcome(): Promise<boolean>
}

export interface Stream {
  start(): void
  end(): void
  onEvent(type: StreamType, listener: Listener): () => void
  onStatus(listener: () => void): () => void
  status(): StreamStatus
}

const TYPES = ['row', 'approval', 'agent.status', 'verification', 'commitment', 'hook', 'gap'] as const
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 4000

export function createStream({ open, now, later, isWelcome }: StreamOptions): Stream {
  const listeners = new Map<string, Set<Listener>>()
  const watchers = new Set<() => void>()
  let status: StreamStatus = { state: 'reconnecting', since: now() }
  let source: Source | null = null
  let lastId: number | null = null
  let waitMs = FIRST_WAIT_MS
  let wasLive = false

  function change(next: StreamStatus['state']): void {
    if (next === status.state) return
    status = { state: next, since: next === 'live' ? null : (status.since ?? now()) }
    for (const watcher of watchers) watcher()
  }

  function emit(type: string, data: unknown): void {
    for (const listener of listeners.get(type) ?? []) listener(data)
  }

  function receive(type: string, event: { readonly data: string; readonly lastEventId: string }): void {
    const id = Number(event.lastEventId)
    if (lastId !== null && id <= lastId) return
    lastId = id
    emit(type, JSON.parse(event.data))
  }

  function opened(): void {
    const isLost = wasLive && lastId === null
    wasLive = true
    waitMs = FIRST_WAIT_MS
    change('live')
    // Nothing to resume from: what happened meanwhile is unknown.
    if (isLost) emit('gap', { missed: null })
  }

  async function failed(): Promise<void> {
    source?.close()
    source = null
    change('reconnecting')
    if (!(await isWelcome())) return change('ended')
    later(connect, waitMs)
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
  }

  function connect(): void {
    if (status.state === 'ended' || source !== null) return
    const since = lastId === null ? '' : `&since=${lastId}`
    source = open(`/v1/events?types=${TYPES.filter(type => type !== 'gap').join(',')}${since}`)
    source.addEventListener('open', opened)
    source.addEventListener('error', () => void failed())
    for (const type of TYPES) source.addEventListener(type, event => receive(type, event))
  }

  return {
    start: connect,
    end() {
      source?.close()
      source = null
      change('ended')
    },
    onEvent(type, listener) {
      const known = listeners.get(type) ?? new Set()
      listeners.set(type, known.add(listener))
      return () => void known.delete(listener)
    },
    onStatus(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    status: () => status,
  }
}
