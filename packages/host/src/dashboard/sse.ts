// The event feed as server-sent events. `Last-Event-ID` (or ?since=) resumes, ?types=a,b leaves out the rest; a comment every 15 s keeps
// proxies and browsers awake. `row` is every recorded entry as one line of a list: made here, and only where somebody asks for it.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventFeed, FeedItem } from '../feed/event-feed.ts'
import { fillEntry, lacksEntry, type ReadEntries } from '../feed/published-entry.ts'
import type { Route } from '../http/route.ts'
import { carriesEntry, publishedRow } from './page/published-row.ts'

const KEEP_AWAKE_MS = 15_000
/** A reader this far behind is cut off; it resumes from the last event it got. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

/** Read from the ledger before others have their turn. */
const MAX_PER_TURN = 32
const ROW = 'row'

export interface EventRouteOptions {
  readonly feed: EventFeed
  readonly readEntries: ReadEntries
  /** A person's page is open until the undo is called. */
  onPerson(): () => void
}

export function createEventRoute({ feed, readEntries, onPerson }: EventRouteOptions): Route {
  const format = createFormatter(({ type, data }) => ({ type, data }))
  const formatRow = createFormatter(({ type, data }) => {
    const row = carriesEntry(type) ? publishedRow(data) : null
    return row === null ? null : { type: ROW, data: row }
  })
  return {
    method: 'GET',
    path: '/v1/events',
    summary: 'Everything that happens, as server-sent events; resume with Last-Event-ID or ?since=ID, narrow with ?types=A,B.',
    takes: {
      query: { since: 'id of the last event seen', types: 'names of event types, by comma' },
      headers: { 'last-event-id': 'as since' },
    },
    run({ request, response, url, as }) {
      const last = request.headers['last-event-id'] ?? url.searchParams.get('since')
      const since = last !== null && /^\d+$/.test(String(last)) ? Number(last) : null
      const types = url.searchParams.get('types')
      const isWanted = readTypes(types)
      const wantsRows = types?.split(',').includes(ROW) === true
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      response.write(': open\n\n')
      const send = (item: FeedItem): void => {
        const text = `${isWanted(item.type) ? format(item) : ''}${wantsRows ? formatRow(item) : ''}`
        if (text === '' || response.destroyed) return
        response.write(text)
        if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
      }
      const stop = feed.subscribe(since, fillInOrder(readEntries, send, response))
      const leave = as === 'session' ? onPerson() : () => undefined
      const timer = setInterval(() => response.write(': awake\n\n'), KEEP_AWAKE_MS)
      response.on('close', () => {
        clearInterval(timer)
        stop()
        leave()
      })
    },
  }
}

/** What happened while nobody watched is read from the ledger; whatever follows it waits. A reader that cannot be served resumes. */
function fillInOrder(read: ReadEntries, send: (item: FeedItem) => void, response: ServerResponse): (item: FeedItem) => void {
  const waiting: FeedItem[] = []
  let isFilling = false
  async function fill(): Promise<void> {
    while (waiting.length > 0 && !response.destroyed) {
      const items = waiting.splice(0, MAX_PER_TURN)
      for (const item of items) send(await fillEntry(item, read))
      await nextTurn()
    }
    isFilling = false
  }
  return item => {
    if (!isFilling && !lacksEntry(item)) {
      send(item)
      return
    }
    waiting.push(item)
    if (isFilling) return
    isFilling = true
    fill().catch(() => response.destroy())
  }
}

/** A gap concerns every reader. */
function readTypes(text: string | null): (type: string) => boolean {
  if (text === null || text === '') return () => true
  const wanted = new Set(['gap', ...text.split(',')])
  return type => wanted.has(type)
}

/** Many read the same event: it becomes text once. Empty: there is nothing to say. */
function createFormatter(shape: (item: FeedItem) => { readonly type: string; readonly data: unknown } | null): (item: FeedItem) => string {
  let last: FeedItem | null = null
  let text = ''
  return item => {
    if (item !== last) {
      last = item
      const shaped = shape(item)
      text = shaped === null ? '' : `id: ${item.id}\nevent: ${shaped.type}\ndata: ${JSON.stringify(shaped.data)}\n\n`
    }
    return text
  }
}
