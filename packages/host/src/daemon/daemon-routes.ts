// Every route of the daemon but the dashboard's files.

import { createEventRoute } from '../dashboard/sse.ts'
import type { Decide } from '../decision/hook-call.ts'
import type { EventFeed } from '../feed/event-feed.ts'
import type { ReadEntries } from '../feed/published-entry.ts'
import { createHookRoute } from '../http/hook-route.ts'
import { createOpenApiRoute } from '../http/openapi.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { sendJson } from '../http/server.ts'
import type { People } from '../method/person.ts'
import { createRpcRoute } from '../method/rpc-route.ts'
import type { LoadGate } from '../rpc/load-gate.ts'
import type { RpcMethods } from '../rpc/rpc.ts'
import type { Metrics } from '../statistic/metrics.ts'
import type { Turn } from './turn.ts'

export interface RouteParts {
  readonly version: string
  readonly decide: Decide
  readonly gate: LoadGate
  /** In which hook calls begin together. */
  readonly turn: Turn
  readonly feed: EventFeed
  readonly readEntries: ReadEntries
  readonly metrics: Metrics
  readonly methods: RpcMethods<RouteCall>
  readonly people: People
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
