// The event feed as server-sent events. `Last-Event-ID` (or ?since=) resumes; a comment every 15 s keeps proxies and browsers awake.
import type { EventFeed, FeedItem } from '../event-feed.ts'
import type { Route } from './route.ts'

const KEEP_AWAKE_MS = 15_000
/** A reader this far behind is cut off; it resumes from the last event it got. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

export function createEventRoute(feed: EventFeed): Route {
  return {
    method: 'GET',
    path: '/v1/events',
    summary: 'Everything that happens, as server-sent events; resume with Last-Event-ID or ?since=ID.',
    run({ request, response, url }) {
      const last = request.headers['last-event-id'] ?? url.searchParams.get('since')
      const since = last !== null && /^\d+$/.test(String(last)) ? Number(last) : null
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      response.write(': open\n\n')
      const stop = feed.subscribe(since, item => {
        response.write(formatItem(item))
        if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
      })
      const timer = setInterval(() => response.write(': awake\n\n'), KEEP_AWAKE_MS)
      response.on('close', () => {
        clearInterval(timer)
        stop()
      })
    },
  }
}

function formatItem({ id, type, data }: FeedItem): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
