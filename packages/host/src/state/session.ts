// A session is one context window of a host, under the host's own session id: created, ended, never resumed. A new window is linked to the one
// before it.
import type { Selectable } from 'kysely'
import type { SessionTable } from '../store/table/work.ts'
import { findHandOver } from './hand-over.ts'
import type { Database } from './state.ts'

export interface NewSession {
  readonly agentId: string
  readonly agentKind: string
  readonly hostSession: string
  readonly subagent: string | null
  readonly projectRoot: string
  readonly effortId: number | null
  readonly transcriptPath: string | null
  readonly heartbeatInterval: number | null
  readonly contextWindow: number | null
  /** Nobody saw the window open: others of its agent may be open too. */
  readonly isJoined?: boolean
  readonly now: string
}

/** Ends what its agent had open before and links the new session to the last one. One that goes on all the same comes back (`reopenSession`). */
export async function startSession(tx: Database, session: NewSession): Promise<number> {
  const previous = await lastSession(tx, session)
  if (session.subagent === null && session.isJoined !== true) await endOpenSessions(tx, session.agentId, session.now)
  const { id } = await tx
    .insertInto('sessions')
    .values({
      agent_id: session.agentId,
      agent_kind: session.agentKind,
      host_session: session.hostSession,
      subagent: session.subagent,
      project_root: session.projectRoot,
      effort_id: session.effortId,
      prev_session_id: previous?.id ?? null,
      transcript_path: session.transcriptPath,
      last_heartbeat: session.now,
      created_at: session.now,
      context_usage: null,
      context_window: session.contextWindow,
      cost: null,
      dehydration_payload: null,
      handed_over_at: null,
      received_from: session.subagent === null ? await findHandOver(tx, session.effortId) : null,
      last_edited: null,
      ended_at: null,
      ...(session.heartbeatInterval === null ? {} : { heartbeat_interval: session.heartbeatInterval }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Of the effort, whoever ran it; else of the agent. */
async function lastSession(db: Database, { agentId, subagent, effortId }: NewSession) {
  if (subagent !== null) return undefined
  const windows = db.selectFrom('sessions').select('id').where('subagent', 'is', null).orderBy('id', 'desc')
  const ofEffort = effortId === null ? undefined : await windows.where('effort_id', '=', effortId).executeTakeFirst()
  return ofEffort ?? windows.where('agent_id', '=', agentId).executeTakeFirst()
}

async function endOpenSessions(tx: Database, agentId: string, now: string): Promise<void> {
  await tx.updateTable('sessions').set({ ended_at: now }).where('agent_id', '=', agentId).where('ended_at', 'is', null).execute()
}

/** The last session of a window that was taken for ended and goes on; null: it never had one. */
export async function reopenSession(
  tx: Database,
  { agentKind, hostSession, subagent }: SessionKey,
): Promise<Selectable<SessionTable> | null> {
  const last = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('host_session', '=', hostSession)
    .where('agent_kind', '=', agentKind)
    .where('subagent', subagent === null ? 'is' : '=', subagent)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (last === undefined) return null
  await tx.updateTable('sessions').set({ ended_at: null }).where('id', '=', last.id).execute()
  return { ...last, ended_at: null }
}

type SessionKey = Pick<NewSession, 'agentKind' | 'hostSession' | 'subagent'>

/** With it end the windows of its sub-agents: they were inside it. */
export async function endSession(tx: Database, { id, agentKind, hostSession, subagent }: EndingSession, now: string): Promise<void> {
  const open = tx.updateTable('sessions').set({ ended_at: now }).where('ended_at', 'is', null)
  await open.where('id', '=', id).execute()
  if (subagent !== null) return
  await open.where('host_session', '=', hostSession).where('agent_kind', '=', agentKind).where('subagent', 'is not', null).execute()
}

interface EndingSession {
  readonly id: number
  readonly agentKind: string
  readonly hostSession: string
  readonly subagent: string | null
}

export async function addMessage(
  tx: Database,
  message: {
    readonly sessionId: number
    readonly role: string
    readonly content: string
    readonly toolName: string | null
    readonly now: string
  },
): Promise<void> {
  const { sessionId, role, content, toolName, now } = message
  await tx.insertInto('messages').values({ session_id: sessionId, role, content, tool_name: toolName, created_at: now }).execute()
}
