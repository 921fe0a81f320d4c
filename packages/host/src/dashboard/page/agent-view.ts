// page.agent, page.messages, page.artifact, page.markChecked: one agent's history, and that a person has looked at it.
import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Selectable } from 'kysely'
import { isInside, readOwnFile } from '../../config/own-file.ts'
import type { FleetAgent } from '../../fleet/fleet-agent.ts'
import { listFleet } from '../../method/fleet.ts'
import type { AgentView, EffortView, MessageView, SessionView } from '../../page/fleet.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { listArtifacts } from '../../state/artifact.ts'
import { markChecked } from '../../state/status.ts'
import type { Store } from '../../store/store.ts'
import type { EffortTable, SessionTable } from '../../store/table/work.ts'
import type { PageParts } from './page-parts.ts'

const MAX_SESSIONS = 200
const MAX_MESSAGES = 500
const MESSAGE_CHARACTERS = 20_000
const ARTIFACT_CHARACTERS = 512 * 1024

export async function readAgent(parts: PageParts, id: string): Promise<AgentView> {
  const { store } = parts.ledger
  const agent = await needAgent(parts, id)
  const sessions = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('agent_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MAX_SESSIONS)
    .execute()
  const counts = await countMessages(
    store,
    sessions.map(session => session.id),
  )
  const efforts = new Set([agent.effortId, ...sessions.map(session => session.effort_id)].filter(effort => effort !== null))
  return {
    agent,
    sessions: sessions.toReversed().map(session => sessionView(session, counts.get(session.id) ?? 0)),
    efforts: await readEfforts(store, [...efforts]),
  }
}

async function needAgent(parts: PageParts, id: string): Promise<FleetAgent> {
  const [agent] = await listFleet(parts, id)
  if (agent === undefined) throw new RpcError(RPC_REFUSED, `there is no agent ${id}`)
  return agent
}

async function countMessages(store: Store, sessions: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (sessions.length === 0) return new Map()
  const rows = await store.db
    .selectFrom('messages')
    .select(({ fn }) => ['session_id', fn.countAll<number | string>().as('count')])
    .where('session_id', 'in', sessions)
    .groupBy('session_id')
    .execute()
  return new Map(rows.map(({ session_id, count }) => [session_id, Number(count)]))
}

function sessionView(row: Selectable<SessionTable>, messages: number): SessionView {
  return {
    id: row.id,
    previous: row.prev_session_id,
    hostSession: row.host_session,
    subagent: row.subagent,
    startedAt: row.created_at,
    endedAt: row.ended_at,
    context: row.context_usage,
    cost: row.cost,
    heartbeat: row.heartbeat_counter,
    effortId: row.effort_id,
    dehydrated: row.dehydration_payload === null ? null : readJson(row.dehydration_payload),
    messages,
  }
}

async function readEfforts(store: Store, ids: readonly number[]): Promise<readonly EffortView[]> {
  if (ids.length === 0) return []
  const rows = await store.db.selectFrom('efforts').selectAll().where('id', 'in', ids).orderBy('id').execute()
  const phases = await store.db.selectFrom('phase_history').selectAll().where('effort_id', 'in', ids).orderBy('id').execute()
  return rows.map(row => ({
    id: row.id,
    skill: row.skill,
    mode: row.mode,
    ordinal: row.ordinal,
    lifecycle: row.lifecycle,
    task: row.task_id,
    phases: phases
      .filter(phase => phase.effort_id === row.id)
      .map(({ phase_label, proof, created_at }) => ({
        phase: phase_label,
        proof: proof === null ? null : readJson(proof),
        at: created_at,
      })),
    artifacts: artifactsOf(row),
  }))
}

function artifactsOf({ task_id: taskDir, ordinal, skill }: Selectable<EffortTable>): EffortView['artifacts'] {
  return listArtifacts({ taskDir, ordinal, skill }).flatMap(path => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? [] : [{ path, bytes: stat.size, changedAt: stat.mtime.toISOString() }]
  })
}

export async function readMessages(
  { ledger: { store } }: PageParts,
  session: number,
): Promise<{ readonly messages: readonly MessageView[] }> {
  const rows = await store.db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .orderBy('id', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  const messages = rows.toReversed().map(({ id, role, content, tool_name, created_at }) => ({
    id,
    role,
    content: content.length <= MESSAGE_CHARACTERS ? content : `${content.slice(0, MESSAGE_CHARACTERS)}…`,
    tool: tool_name,
    at: created_at,
  }))
  return { messages }
}

/** Files of the effort's own folder only; links lead nowhere. */
export async function readArtifact(
  { ledger: { store } }: PageParts,
  { effort: id, path }: { readonly effort: number; readonly path: string },
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const effort = await store.db.selectFrom('efforts').select('task_id').where('id', '=', id).executeTakeFirst()
  if (effort === undefined) throw new RpcError(RPC_REFUSED, `there is no effort ${id}`)
  const file = isAbsolute(path) ? resolve(path) : resolve(effort.task_id, path)
  const text = isInside(file, resolve(effort.task_id)) ? readOwnFile(file, effort.task_id) : null
  if (text === null) throw new RpcError(RPC_REFUSED, `${path} is not a file of effort ${id}`)
  return { text: text.slice(0, ARTIFACT_CHARACTERS), isCut: text.length > ARTIFACT_CHARACTERS }
}

/** A person has looked. */
export async function markAgentChecked(parts: PageParts, id: string): Promise<{ readonly status: string }> {
  await needAgent(parts, id)
  const agent = await parts.state.parts.rows.agent(id)
  markChecked(parts.state.parts, agent)
  return { status: agent.status }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
