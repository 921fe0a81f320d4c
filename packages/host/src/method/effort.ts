// effort.start | phase | finish | inject | list | show
import { isAbsolute, join } from 'node:path'
import { needText, type Params, paramOf, readFlag, readLimit, readNumber, readText } from '../rpc/param.ts'
import { RPC_REFUSED, RpcError } from '../rpc/rpc.ts'
import { listArtifacts } from '../state/artifact.ts'
import { advancePhase } from '../state/effort.ts'
import { endEffort } from '../state/end-effort.ts'
import { readObject, timeText } from '../state/state.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { findCaller, needEffort } from './caller.ts'
import { describeEffortRow, unwrap } from './effort-answer.ts'
import { startEffortMethod } from './effort-start.ts'

export function createEffortMethods(parts: WorkParts) {
  return [
    ['effort.start', (params: Params) => startEffortMethod(parts, params)],
    ['effort.phase', (params: Params) => phase(parts, params)],
    ['effort.finish', (params: Params) => finish(parts, params)],
    ['effort.inject', (params: Params) => inject(parts, params)],
    ['effort.list', (params: Params) => list(parts, params)],
    ['effort.show', (params: Params) => show(parts, params)],
  ] as const
}

async function phase(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const next = needText(params, 'phase')
  const effort = needEffort(caller)
  const skill = parts.skills.find(effort.projectRoot, effort.skill)
  await parts.rows.flush()
  unwrap(
    await parts.store.transact(tx =>
      advancePhase(tx, {
        effortId: effort.id,
        phase: next,
        proof: parts.redactValue(paramOf(params, 'proof') ?? null),
        phases: skill?.phases ?? [],
        force: readFlag(params, 'force'),
        now: timeText(parts.now()),
      }),
    ),
  )
  const row = await parts.rows.reloadEffort(effort.id)
  parts.publish('effort.phase', { id: effort.id, phase: row?.phase ?? null })
  return describeEffortRow(row, caller)
}

async function finish(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const id = readNumber(params, 'id') ?? needEffort(caller).id
  const done = unwrap(await endEffort(parts, id))
  const skill = parts.skills.find(caller.root, done.skill)
  return {
    id: done.id,
    skill: done.skill,
    taskDir: done.taskDir,
    lifecycle: done.lifecycle,
    phase: done.phase,
    nextSkills: skill?.nextSkills ?? [],
  }
}

/** Text that the effort's agent reads at its next tool call. */
async function inject(parts: WorkParts, params: Params) {
  const id = readNumber(params, 'id')
  const effort = id === null ? needEffort(await findCaller(parts, params)) : parts.rows.effort(id)
  if (effort === null) throw new RpcError(RPC_REFUSED, `there is no active effort ${id}`)
  const path = readText(params, 'path')
  const injection = {
    kind: 'note',
    text: parts.redact(needText(params, 'text')),
    path: path === null ? null : isAbsolute(path) ? path : join(effort.projectRoot, path),
  }
  const { injections } = effort.metadata
  const waiting = [...(Array.isArray(injections) ? injections : []), injection]
  effort.metadata = { ...effort.metadata, injections: waiting }
  parts.rows.changed(effort)
  await parts.rows.flush()
  return { id: effort.id, waiting: waiting.length }
}

async function list(parts: WorkParts, params: Params) {
  const { root } = await findCaller(parts, params)
  await parts.rows.flush()
  let query = parts.store.db
    .selectFrom('efforts as e')
    .innerJoin('tasks as t', 't.dir_path', 'e.task_id')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .leftJoin('agents as a', 'a.effort_id', 'e.id')
    .select([
      'e.id',
      'e.task_id as taskDir',
      'e.skill',
      'e.mode',
      'e.ordinal',
      'e.lifecycle',
      'e.current_phase as phase',
      'a.id as agent',
      'e.created_at as createdAt',
      'e.finished_at as finishedAt',
    ])
    .orderBy('e.id', 'desc')
    .limit(readLimit(params, 100))
  if (!readFlag(params, 'all')) query = query.where('p.path', '=', root)
  return query.execute()
}

async function show(parts: WorkParts, params: Params) {
  const id = readNumber(params, 'id') ?? needEffort(await findCaller(parts, params)).id
  await parts.rows.flush()
  const { db } = parts.store
  const effort = await db.selectFrom('efforts').selectAll().where('id', '=', id).executeTakeFirst()
  if (effort === undefined) throw new RpcError(RPC_REFUSED, `there is no effort ${id}`)
  const phases = await db.selectFrom('phase_history').selectAll().where('effort_id', '=', id).orderBy('id').execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'agent_id as agent', 'subagent', 'created_at as createdAt', 'ended_at as endedAt'])
    .where('effort_id', '=', id)
    .orderBy('id')
    .execute()
  const skill = await db
    .selectFrom('skills as s')
    .innerJoin('tasks as t', 't.project_id', 's.project_id')
    .select('s.version')
    .where('t.dir_path', '=', effort.task_id)
    .where('s.name', '=', effort.skill)
    .executeTakeFirst()
  return {
    id,
    taskDir: effort.task_id,
    skill: effort.skill,
    skillVersion: skill?.version ?? null,
    mode: effort.mode,
    ordinal: effort.ordinal,
    lifecycle: effort.lifecycle,
    phase: effort.current_phase,
    metadata: readObject(effort.metadata),
    directives: readObject(effort.discovered_directives),
    phases: phases.map(step => ({
      phase: step.phase_label,
      proof: step.proof === null ? null : JSON.parse(step.proof),
      at: step.created_at,
    })),
    sessions,
    artifacts: listArtifacts({ taskDir: effort.task_id, ordinal: effort.ordinal, skill: effort.skill }),
    createdAt: effort.created_at,
    finishedAt: effort.finished_at,
  }
}
