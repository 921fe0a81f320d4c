// How many connections one door keeps, and how long one on which nothing happens. Whoever opens thousands and is silent, or does not read what
// he is told, loses the oldest of his own: somebody who comes now is served.
import type { Server, Socket } from 'node:net'

export interface ConnectionLimits {
  readonly most: number
  /** One on which no byte has moved for so long is closed. */
  readonly idleMs: number
  /** Of one session: more connections than that are not needed. */
  readonly mostOfSession: number
}

/** Three doors together stay below the thousand descriptors that many systems give a process. */
export const CONNECTION_LIMITS: ConnectionLimits = { most: 400, idleMs: 60_000, mostOfSession: 128 }

export interface ConnectionLimit {
  /** This connection is of this session; false: that has too many at work already. */
  claim(socket: Socket, session: string): boolean
  readonly size: number
}

interface Seen {
  /** Bytes that had moved when somebody last looked. */
  moved: number
  at: number
  session: string | null
}

export interface LimitOptions extends ConnectionLimits {
  /** A call of it is in progress: it is not closed. */
  isBusy(socket: Socket): boolean
  now(): number
}

const LOOKS = 4

export function limitConnections(server: Server, options: LimitOptions): ConnectionLimit {
  const { most, idleMs, mostOfSession, isBusy, now } = options
  /** The one on which nothing has happened for longest comes first. */
  const open = new Map<Socket, Seen>()
  const sessions = new Map<string, Set<Socket>>()

  function forget(socket: Socket): void {
    const { session } = open.get(socket) ?? { session: null }
    open.delete(socket)
    const ofSession = session === null ? undefined : sessions.get(session)
    ofSession?.delete(socket)
    if (session !== null && ofSession?.size === 0) sessions.delete(session)
  }

  function end(socket: Socket): void {
    forget(socket)
    socket.destroy()
  }

  /** Closes one that is idle. */
  function makeRoom(among: Iterable<Socket>): boolean {
    for (const socket of among) {
      if (isBusy(socket)) continue
      end(socket)
      return true
    }
    return false
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= most && !makeRoom(open.keys())) {
      socket.destroy()
      return
    }
    open.set(socket, { moved: 0, at: now(), session: null })
    socket.on('close', () => forget(socket))
  })

  function look(): void {
    for (const [socket, seen] of [...open]) {
      const moved = socket.bytesRead + socket.bytesWritten
      if (moved !== seen.moved || isBusy(socket)) {
        open.delete(socket)
        open.set(socket, Object.assign(seen, { moved, at: now() }))
      } else if (now() - seen.at >= idleMs) end(socket)
    }
  }
  const looking = setInterval(look, idleMs / LOOKS).unref()
  server.on('close', () => clearInterval(looking))

  return {
    claim(socket, session) {
      const seen = open.get(socket)
      if (seen === undefined || seen.session === session) return true
      const ofSession = sessions.get(session) ?? new Set<Socket>()
      if (ofSession.size >= mostOfSession && !makeRoom([...ofSession])) return false
      seen.session = session
      sessions.set(session, ofSession.add(socket))
      return true
    },
    get size() {
      return open.size
    },
  }
}
