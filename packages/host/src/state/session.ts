// A session is one context window: created, ended, never resumed. A new window of the same agent is linked to the one before it.
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
  /** Nobody saw the window open, so nothing was handed over to it: what the last one left still waits. */
  readonly isJoined?: boolean
  readonly now: string
}

/** Ends what the same window had open before and links the new session to the agent's last one. */
export async function startSession(tx: Database, session: NewSession): Promise<number> {
  const previous = await lastSession(tx, session)
  if (session.subagent === null) await endOpenSessions(tx, session.agentId, session.now)
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
      dehydration_payload: session.isJoined === true && previous?.effort_id === session.effortId ? previous.dehydration_payload : null,
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
  const windows = db
    .selectFrom('sessions')
    .select(['id', 'effort_id', 'dehydration_payload'])
    .where('subagent', 'is', null)
    .orderBy('id', 'desc')
  const ofEffort = effortId === null ? undefined : await windows.where('effort_id', '=', effortId).executeTakeFirst()
  return ofEffort ?? windows.where('agent_id', '=', agentId).executeTakeFirst()
}

async function endOpenSessions(tx: Database, agentId: string, now: string): Promise<void> {
  await tx.updateTable('sessions').set({ ended_at: now }).where('agent_id', '=', agentId).where('ended_at', 'is', null).execute()
}

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
