// What the daemon listens on: shims on one socket, HTTP on another and on loopback. All of them or none.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { routeUser } from '@belay/core/match'
import type { Decide } from '../decision/hook-call.ts'
import type { Secrets } from '../http/admission.ts'
import type { Route } from '../http/route.ts'
import { createHttpServer } from '../http/server.ts'
import type { LoadGate } from '../rpc/load-gate.ts'
import { showAlive } from '../wire/hung-daemon.ts'
import type { RunPaths } from '../wire/run-paths.ts'
import { ensureToken, listenOnLoopback, listenOnSocket } from './listen.ts'
import { createShimServer } from './shim-server.ts'
import type { Turn } from './turn.ts'

export interface ListenerOptions {
  readonly paths: RunPaths
  readonly port: WantedPort
  readonly routes: readonly Route[]
  readonly decide: Decide
  readonly gate: LoadGate
  readonly turn: Turn
  readonly checkSession: Secrets['checkSession']
  onFailure(error: unknown): void
}

interface WantedPort {
  readonly asked: number | null
  readonly configured: number | null
}

export type Listeners = { readonly ok: true; readonly port: number; close(): Promise<void> } | { readonly ok: false; readonly why: string }

/** How long calls in progress may take to finish once we stop listening. */
const DRAIN_MS = 5000

export async function openListeners({
  paths,
  port,
  routes,
  decide,
  gate,
  turn,
  checkSession,
  onFailure,
}: ListenerOptions): Promise<Listeners> {
  const secrets: Secrets = { token: ensureToken(paths.token), checkSession }
  const door = { kind: 'tcp' as const, port: 0 }
  const tcp = createHttpServer({ routes, door, secrets, userOf: routeUser, onFailure })
  const unix = createHttpServer({ routes, door: { kind: 'unix', port: 0 }, secrets, userOf: routeUser, onFailure })
  const shim = createShimServer({ decide, gate, turn })
  const alive = showAlive(paths.shimSocket)

  async function close(): Promise<void> {
    alive.stop()
    const closed = [shim, unix, tcp].map(closeServer)
    const until = Date.now() + DRAIN_MS
    while (gate.inProgress > 0 && Date.now() < until) await new Promise(resolve => setTimeout(resolve, 10))
    tcp.closeAllConnections()
    unix.closeAllConnections()
    shim.closeConnections()
    await Promise.all(closed)
  }

  const loopback = await listenOnLoopback(tcp, { ...port, earlier: readEarlierPort(paths.state) })
  if (!('port' in loopback)) {
    alive.stop()
    return { ok: false, why: loopback.why }
  }
  door.port = loopback.port
  for (const [server, path] of [
    [shim, paths.shimSocket],
    [unix, paths.socket],
  ] as const) {
    const listening = await listenOnSocket(server, path)
    if (listening.ok) continue
    await close()
    return { ok: false, why: `cannot listen on ${path}: ${listening.why}` }
  }
  return { ok: true, port: loopback.port, close }
}

/** The state file of a daemon that was killed is still there. */
function readEarlierPort(file: string): number | null {
  try {
    const { port } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
  } catch {
    return null
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => (server.listening ? server.close(() => resolve()) : resolve()))
}
