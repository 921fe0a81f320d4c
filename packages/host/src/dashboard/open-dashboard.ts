// The daemon's part of the page: sessions, files, and the verb that makes a one-time link.
import { join } from 'node:path'
import { createSessions, type Sessions } from '../http/page-sessions.ts'
import type { Route, RouteCall } from '../http/route.ts'
import type { RpcMethod } from '../rpc/rpc.ts'
import { openPageFiles } from './page-files.ts'
import { createPageRoutes } from './page-routes.ts'

export interface DashboardOptions {
  /** Where sessions are kept. */
  readonly folder: string
  /** `http://127.0.0.1:4517/`, once the door is open. */
  url(): string
}

export interface Dashboard {
  readonly routes: readonly Route[]
  readonly methods: readonly (readonly [string, RpcMethod<RouteCall>])[]
  readonly check: Sessions['check']
}

export function openDashboard({ folder, url }: DashboardOptions): Dashboard {
  const sessions = createSessions({ file: join(folder, 'sessions.json'), now: Date.now })
  return {
    routes: createPageRoutes(openPageFiles(), sessions),
    // Whoever holds the link decides as a person does: the table of verbs gives it to people only.
    methods: [['dashboard.link', () => ({ url: `${url()}enter?code=${sessions.link()}` })]],
    check: sessions.check,
  }
}
