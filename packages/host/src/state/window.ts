// Opening and closing context windows: the database first, then the memory.
import { intervalOf } from './call-count.ts'
import { readDehydrated, renderRecovery } from './recovery.ts'
import { addMessage, endSession, reopenSession, startSession } from './session.ts'
import { timeText } from './state.ts'
import type { WorkParts } from './work-parts.ts'
import { type AgentRow, type EffortRow, readSession, type SessionRow } from './work-row.ts'
import { subagentOf, type WorkView } from './work-view.ts'

const opening = new WeakMap<AgentRow, Map<string, Promise<SessionRow>>>()

/** For a window that nobody saw open, or that was taken for ended. Calls that come together get the same session. */
export async function ensureWindow(parts: WorkParts, view: WorkView, subagent: string | null): Promise<SessionRow> {
  const key = `${view.call.event.agent}\n${view.call.event.sessionId}\n${subagent ?? ''}`
  const ours = opening.get(view.agent) ?? new Map<string, Promise<SessionRow>>()
  opening.set(view.agent, ours)
  const made = ours.get(key) ?? joinWindow(parts, view, subagent).finally(() => ours.delete(key))
  ours.set(key, made)
  return made
}

async function joinWindow(parts: WorkParts, view: WorkView, subagent: string | null): Promise<SessionRow> {
  const { agent: agentKind, sessionId: hostSession } = view.call.event
  await parts.rows.flush()
  const row = await parts.store.transact(tx => reopenSession(tx, { agentKind, hostSession, subagent }))
  if (row === null) return openJoined(parts, view, subagent)
  const session = readSession(row)
  parts.rows.opened(session)
  return session
}

/** Its start went by unseen: what the last window left reaches it with the first text that it takes. */
async function openJoined(parts: WorkParts, view: WorkView, subagent: string | null): Promise<SessionRow> {
  const session = await openWindow(parts, view, subagent, true)
  if (view.effort === null || session.receivedFrom === null) return session
  const dehydrated = await readDehydrated(parts, view.effort, session)
  if (dehydrated !== null) session.injections = [{ kind: 'note', text: renderRecovery(view.effort, dehydrated), path: null }]
  return session
}

/** A new session for the event's window, linked to the one before it. */
export async function openWindow(parts: WorkParts, view: WorkView, subagent: string | null, isJoined = false): Promise<SessionRow> {
  const { call, agent, effort } = view
  const { event } = call
  parts.rows.changed(agent)
  await parts.rows.flush()
  const row = await parts.store.transact(async tx => {
    const id = await startSession(tx, {
      agentId: agent.id,
      agentKind: event.agent,
      hostSession: event.sessionId,
      subagent,
      projectRoot: call.root,
      effortId: effort?.id ?? null,
      transcriptPath: event.transcriptPath,
      heartbeatInterval: intervalOf(view),
      contextWindow: null,
      isJoined,
      now: timeText(parts.now()),
    })
    return tx.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
  if (subagent === null && !isJoined) for (const session of parts.rows.sessionsOf(agent.id)) parts.rows.replaced(session)
  const session = readSession(row)
  parts.rows.opened(session)
  parts.publish('session.started', { id: session.id, agent: agent.id, subagent, effortId: session.effortId })
  return session
}

/** An effort that began inside a session, or a session whose start nobody saw: from here on they belong together. */
export function joinEffort(parts: WorkParts, view: WorkView, effort: EffortRow): WorkView | Promise<WorkView> {
  const join = (session: SessionRow): WorkView => {
    view.session = session
    if (session.effortId !== effort.id) {
      Object.assign(session, { effortId: effort.id, interval: intervalOf(view), heartbeat: 0, lastEdited: null })
      parts.rows.changed(session)
    }
    return view
  }
  if (view.session !== null) return join(view.session)
  return ensureWindow(parts, view, subagentOf(view.call.event, parts.cleanName)).then(join)
}

export async function closeWindow(parts: WorkParts, session: SessionRow): Promise<void> {
  await parts.rows.flush()
  await parts.store.transact(tx => endSession(tx, session, timeText(parts.now())))
  for (const ended of [...innerWindows(parts, session), session]) {
    parts.rows.closed(ended)
    parts.publish('session.ended', { id: ended.id, agent: ended.agentId, subagent: ended.subagent, effortId: ended.effortId })
  }
}

function innerWindows({ rows }: WorkParts, { agentId, agentKind, hostSession, subagent }: SessionRow): readonly SessionRow[] {
  if (subagent !== null) return []
  return rows.sessionsOf(agentId).filter(each => each.subagent !== null && each.agentKind === agentKind && each.hostSession === hostSession)
}

const MESSAGE_LIMIT = 4000

/** Kept for the agent that continues the work; without secrets. */
export async function keepMessage(
  parts: WorkParts,
  session: SessionRow,
  message: { readonly role: string; readonly content: string; readonly toolName?: string | null },
): Promise<void> {
  const content = parts.redact(message.content.slice(0, MESSAGE_LIMIT))
  if (content.trim() === '') return
  await parts.store.transact(tx =>
    addMessage(tx, { sessionId: session.id, role: message.role, content, toolName: message.toolName ?? null, now: timeText(parts.now()) }),
  )
}
