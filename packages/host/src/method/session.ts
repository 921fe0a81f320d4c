// session.list | show | finish | dehydrate, effort.log

import { needText, type Params, readFlag, readLimit, readNumber, readRecord } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RPC_REFUSED, RpcError } from '../rpc/rpc.ts'
import { appendLog, logPath } from '../state/artifact.ts'
import { beat } from '../state/event/tool-use.ts'
import { leaveHandOver, useHandOvers } from '../state/hand-over.ts'
import { readList, readObject, timeText } from '../state/state.ts'
import { closeWindow } from '../state/window.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { readInjections } from '../state/work-row.ts'
import { type Caller, findCaller, findSession, needEffort } from './caller.ts'

/** A hand-over must fit into the next window beside everything else. */
const PAYLOAD_LIMIT = 64 * 1024

export function createSessionMethods(parts: WorkParts) {
  return [
    ['session.list', (params: Params) => list(parts, params)],
    ['session.show', (params: Params) => show(parts, params)],
    ['session.finish', (params: Params) => finish(parts, params)],
    ['session.dehydrate', (params: Params) => dehydrate(parts, params)],
    ['effort.log', (params: Params) => log(parts, params)],
  ] as const
}

async function list(parts: WorkParts, params: Params) {
  const { root, agent } = await findCaller(parts, params)
  await parts.rows.flush()
  let query = parts.store.db
    .selectFrom('sessions')
    .select([
      'id',
      'agent_id as agent',
      'agent_kind as kind',
      'subagent',
      'effort_id as effortId',
      'prev_session_id as previous',
      'host_session as hostSession',
      'heartbeat_counter as heartbeat',
      'heartbeat_interval as interval',
      'context_usage as contextUsage',
      'created_at as createdAt',
      'ended_at as endedAt',
    ])
    .orderBy('id', 'desc')
    .limit(readLimit(params, 50))
  if (agent !== null) query = query.where('agent_id', '=', agent.id)
  else if (!readFlag(params, 'all')) query = query.where('project_root', '=', root)
  if (readFlag(params, 'open')) query = query.where('ended_at', 'is', null)
  return query.execute()
}

async function show(parts: WorkParts, params: Params) {
  const id = readNumber(params, 'id') ?? (await findSession(parts, await findCaller(parts, params))).id
  await parts.rows.flush()
  const { db } = parts.store
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new RpcError(RPC_REFUSED, `there is no session ${id}`)
  const messages = await db.selectFrom('messages').selectAll().where('session_id', '=', id).orderBy('id', 'desc').limit(50).execute()
  return {
    id,
    agent: row.agent_id,
    kind: row.agent_kind,
    subagent: row.subagent,
    effortId: row.effort_id,
    previous: row.prev_session_id,
    hostSession: row.host_session,
    project: row.project_root,
    heartbeat: row.heartbeat_counter,
    interval: row.heartbeat_interval,
    lastHeartbeat: row.last_heartbeat,
    contextUsage: row.context_usage,
    contextWindow: row.context_window,
    cost: row.cost,
    loadedFiles: readList(row.loaded_files),
    preloadedFiles: readList(row.preloaded_files),
    pendingInjections: readInjections(row.pending_injections),
    dehydration: row.dehydration_payload === null ? null : readObject(row.dehydration_payload),
    transcriptPath: row.transcript_path,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    messages: messages.reverse().map(({ role, content, tool_name, created_at }) => ({ role, content, tool: tool_name, at: created_at })),
  }
}

async function finish(parts: WorkParts, params: Params) {
  const session = await findSession(parts, await findCaller(parts, params))
  if (session.endedAt !== null) throw new RpcError(RPC_REFUSED, `session ${session.id} has ended already`)
  const payload = readRecord(params, 'dehydrate')
  if (payload !== null) await keepPayload(parts, session.id, payload)
  const open = parts.rows.sessionById(session.id)
  if (open === null)
    await parts.store.transact(tx =>
      tx
        .updateTable('sessions')
        .set({ ended_at: timeText(parts.now()) })
        .where('id', '=', session.id)
        .execute(),
    )
  else await closeWindow(parts, open)
  return { id: session.id, ended: true, dehydrated: payload !== null }
}

async function dehydrate(parts: WorkParts, params: Params) {
  const payload = readRecord(params, 'payload')
  if (payload === null) throw new RpcError(RPC_INVALID_PARAMS, 'payload is missing.')
  const session = await findSession(parts, await findCaller(parts, params))
  await keepPayload(parts, session.id, payload)
  return { id: session.id, bytes: JSON.stringify(payload).length }
}

async function keepPayload(parts: WorkParts, id: number, payload: Params): Promise<void> {
  const text = JSON.stringify(payload)
  if (text.length > PAYLOAD_LIMIT)
    throw new RpcError(
      RPC_REFUSED,
      `the hand-over has ${text.length} characters, at most ${PAYLOAD_LIMIT} are kept; leave out what the files say themselves`,
    )
  const clean = JSON.stringify(parts.redactValue(payload))
  await parts.store.transact(tx => leaveHandOver(tx, id, clean, timeText(parts.now())))
  const session = parts.rows.sessionById(id)
  if (session !== null) session.receivedFrom = null
}

/** A progress entry: kept in the log and as a message; the heartbeat of everyone in the effort starts again. */
async function log(parts: WorkParts, params: Params) {
  const text = parts.redact(needText(params, 'text'))
  const caller = await findCaller(parts, params)
  const effort = needEffort(caller)
  const now = timeText(parts.now())
  const written = appendLog(effort, text, now)
  if (!written.ok) throw new RpcError(RPC_REFUSED, `the log cannot be written: ${written.why}`)
  const sessions = await restartHeartbeats(parts, caller, effort.id, now)
  const last = sessions.at(-1)
  if (last !== undefined)
    await parts.store.transact(tx =>
      tx
        .insertInto('messages')
        .values({ session_id: last, role: 'log', content: text.slice(0, 4000), tool_name: null, created_at: now })
        .execute(),
    )
  parts.publish('effort.log', { id: effort.id, agent: caller.agent?.id ?? null })
  return { effortId: effort.id, file: logPath(effort), sessions }
}

async function restartHeartbeats(parts: WorkParts, { agent }: Caller, effortId: number, now: string): Promise<readonly number[]> {
  await parts.rows.flush()
  const rows = await parts.store.transact(async tx => {
    let all = tx.updateTable('sessions').set({ heartbeat_counter: 0, last_edited: null }).where('effort_id', '=', effortId)
    if (agent !== null) all = all.where('agent_id', '=', agent.id)
    // Also those taken for ended: they may go on.
    await all.where('ended_at', 'is not', null).where('heartbeat_counter', '>', 0).execute()
    const open = await all.set({ last_heartbeat: now }).where('ended_at', 'is', null).returning('id').execute()
    const ids = open.map(({ id }) => id)
    await useHandOvers(tx, ids)
    return ids
  })
  const ids = [...rows].sort((a, b) => a - b)
  for (const id of ids) {
    const session = parts.rows.sessionById(id)
    if (session === null) continue
    session.receivedFrom = null
    await beat(parts, session)
  }
  return ids
}
