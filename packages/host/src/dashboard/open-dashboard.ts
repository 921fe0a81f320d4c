// The daemon's part of the page: sessions, files, and the verb that makes a one-time link.
import { join } from 'node:path'
import { findAgent, listAncestors } from '../approval/process-ancestry.ts'
import type { Route, RouteCall } from '../daemon/http/route.ts'
import { RPC_INVALID_PARAMS, RPC_REFUSED, RpcError, type RpcMethod } from '../daemon/rpc.ts'
import { openPageFiles } from './page-files.ts'
import { createPageRoutes } from './page-routes.ts'
import { createSessions, type Sessions } from './sessions.ts'

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
    methods: [['dashboard.link', ({ pid }) => ({ url: `${url()}enter?code=${linkFor(sessions, pid)}` })]],
    check: sessions.check,
  }
}

/** Whoever holds the link decides as a person does, so it is made for people only. */
function linkFor(sessions: Sessions, pid: unknown): string {
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1) throw new RpcError(RPC_INVALID_PARAMS, 'pid is missing.')
  const inside = findAgent(listAncestors(pid))
  if (inside !== null) {
    throw new RpcError(
      RPC_REFUSED,
      `the dashboard is for people, and this command was started by an agent (${inside.agent}, process ${inside.process.pid}); open a terminal of your own`,
    )
  }
  return sessions.link()
}
