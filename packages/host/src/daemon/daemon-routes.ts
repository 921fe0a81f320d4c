// Every route of the daemon but the dashboard's files.
import type { EventFeed } from './event-feed.ts'
import type { Decide } from './hook-call.ts'
import { createHookRoute } from './http/hook-route.ts'
import { createOpenApiRoute } from './http/openapi.ts'
import type { Route, RouteCall } from './http/route.ts'
import { createRpcRoute } from './http/rpc-route.ts'
import { sendJson } from './http/server.ts'
import { createEventRoute } from './http/sse.ts'
import type { LoadGate } from './load-gate.ts'
import type { Metrics } from './metrics.ts'
import type { ReadEntries } from './published-entry.ts'
import type { RpcMethods } from './rpc.ts'

export interface RouteParts {
  readonly version: string
  readonly decide: Decide
  readonly gate: LoadGate
  readonly feed: EventFeed
  readonly readEntries: ReadEntries
  readonly metrics: Metrics
  readonly methods: RpcMethods<RouteCall>
  /** Of other parts of the daemon. */
  readonly further: readonly Route[]
  /** A person looks at the dashboard until the undo is called. */
  onPerson(): () => void
  onBug(error: unknown): void
}

export function createRoutes(parts: RouteParts): readonly Route[] {
  const routes: Route[] = [
    // First: it is looked for before every tool call.
    createHookRoute(parts),
    {
      method: 'GET',
      path: '/healthz',
      open: true,
      summary: 'Whether the daemon is alive.',
      run: ({ response }) => sendJson(response, 200, { ok: true, pid: process.pid, version: parts.version }),
    },
    {
      method: 'GET',
      path: '/metrics',
      summary: 'Counters and latencies in the text form Prometheus reads.',
      run({ response }) {
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
        response.end(parts.metrics.render())
      },
    },
    createRpcRoute(parts),
    createEventRoute(parts),
    ...parts.further,
  ]
  routes.push(
    createOpenApiRoute(
      () => routes,
      () => parts.methods.keys(),
      parts.version,
    ),
  )
  return routes
}
