// Open sessions in memory, by the window they belong to. That a window has none is remembered too.
import { BoundedMap } from '@belay/core/value'
import type { Store } from '../store/store.ts'
import { keepRow } from './row-map.ts'
import { readSession, type SessionRow } from './work-row.ts'
import type { WriteBehind } from './write-behind.ts'

/** One context window, as its agent names it. */
export interface Window {
  readonly agentKind: string
  readonly hostSession: string
  readonly subagent: string | null
}

export interface SessionRows {
  /** The open session of a window; null where there is none. */
  session(window: Window): SessionRow | null | Promise<SessionRow | null>
  sessionById(id: number): SessionRow | null
  /** Open sessions of an agent that are in memory. */
  sessionsOf(agentId: string): readonly SessionRow[]
  opened(session: SessionRow): void
  closed(session: SessionRow): void
  /** Another window of its agent began, so it is taken for ended: it may go on all the same. */
  replaced(session: SessionRow): void
  wasReplaced(window: Window): boolean
}

const MAX_REPLACED = 5000

export function createSessionRows(store: Store, behind: WriteBehind): SessionRows {
  const sessions = new Map<string, SessionRow | null>()
  const byId = new Map<number, SessionRow>()
  const replaced = new BoundedMap<string, true>(MAX_REPLACED)

  function mayGo(kept: SessionRow | null): boolean {
    if (kept === null) return true
    if (behind.isWaiting(kept)) return false
    byId.delete(kept.id)
    return true
  }

  function keep(key: string, row: SessionRow | null): SessionRow | null {
    if (row !== null) byId.set(row.id, row)
    return keepRow(sessions, key, row, mayGo)
  }

  function close(session: SessionRow): void {
    behind.forget(session)
    byId.delete(session.id)
    if (sessions.get(keyOf(session)) === session) sessions.set(keyOf(session), null)
  }

  return {
    session(window) {
      const key = keyOf(window)
      const known = sessions.get(key)
      // Somebody may have opened it while we were reading.
      return known === undefined ? readOpen(store, window).then(row => sessions.get(key) ?? keep(key, row)) : known
    },
    sessionById: id => byId.get(id) ?? null,
    sessionsOf: agentId => [...byId.values()].filter(session => session.agentId === agentId),
    opened(session) {
      replaced.delete(keyOf(session))
      keep(keyOf(session), session)
    },
    closed(session) {
      replaced.delete(keyOf(session))
      close(session)
    },
    replaced(session) {
      replaced.set(keyOf(session), true)
      close(session)
    },
    wasReplaced: window => replaced.size > 0 && replaced.has(keyOf(window)),
  }
}

async function readOpen(store: Store, { agentKind, hostSession, subagent }: Window): Promise<SessionRow | null> {
  const row = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('host_session', '=', hostSession)
    .where('agent_kind', '=', agentKind)
    .where('subagent', subagent === null ? 'is' : '=', subagent)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row === undefined ? null : readSession(row)
}

function keyOf({ agentKind, hostSession, subagent }: Window): string {
  return `${agentKind}\n${hostSession}\n${subagent ?? ''}`
}
