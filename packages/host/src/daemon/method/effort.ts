// effort.start | phase | finish | inject | list | show
import { mkdirSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { createArtifacts, listArtifacts, logPath } from '../../state/artifact.ts'
import { advancePhase, type EffortChange, finishEffort, startEffort } from '../../state/effort.ts'
import { readEffortGuards } from '../../state/guard-rule.ts'
import { refuseTaskDir } from '../../state/own-file.ts'
import { ensureProject } from '../../state/project.ts'
import type { SkillConfig } from '../../state/skill.ts'
import { readObject, timeText } from '../../state/state.ts'
import { intervalOf } from '../../state/window.ts'
import type { WorkParts } from '../../state/work-parts.ts'
import type { AgentRow, EffortRow } from '../../state/work-row.ts'
import { RPC_REFUSED, RpcError } from '../rpc.ts'
import { type Caller, findCaller, needEffort } from './caller.ts'
import { needText, type Params, paramOf, readFlag, readNumber, readRecord, readText } from './param.ts'

export function createEffortMethods(parts: WorkParts) {
  return [
    ['effort.start', (params: Params) => start(parts, params)],
    ['effort.phase', (params: Params) => phase(parts, params)],
    ['effort.finish', (params: Params) => finish(parts, params)],
    ['effort.inject', (params: Params) => inject(parts, params)],
    ['effort.list', (params: Params) => list(parts, params)],
    ['effort.show', (params: Params) => show(parts, params)],
  ] as const
}

async function start(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const skillName = needText(params, 'skill')
  const mode = readText(params, 'mode')
  const skill = parts.skills.find(caller.root, skillName)
  if (mode !== null && skill !== null && skill.modes.length > 0 && !skill.modes.includes(mode))
    throw new RpcError(RPC_REFUSED, `${skillName} has no mode ${mode}; its modes are ${skill.modes.join(', ')}`)
  const metadata = startMetadata(readRecord(params, 'metadata') ?? {}, skill)
  const now = timeText(parts.now())
  const taskDir = resolve(caller.cwd, readText(params, 'task') ?? '.')
  const refused = refuseTaskDir(taskDir, caller.root) ?? makeFolder(taskDir)
  if (refused !== null) throw new RpcError(RPC_REFUSED, refused)
  if (caller.agent !== null) parts.rows.changed(caller.agent)
  await parts.rows.flush()
  const effort = unwrap(
    await parts.store.transact(async tx => {
      if (skill !== null) await keepSkill(tx, caller.root, skill, now)
      return startEffort(tx, {
        agentId: caller.agent?.id ?? null,
        projectRoot: caller.root,
        taskDir,
        title: readText(params, 'title') ?? basename(taskDir),
        skill: skillName,
        mode,
        firstPhase: skill?.phases[0] ?? null,
        metadata,
        now,
      })
    }),
  )
  const row = await parts.rows.reloadEffort(effort.id)
  if (caller.agent !== null) await parts.rows.reloadAgent(caller.agent.id)
  if (row !== null && caller.agent !== null) joinSessions(parts, caller.agent, row)
  const artifacts = createArtifacts(effort, skill, now)
  parts.publish('effort.started', { id: effort.id, agent: caller.agent?.id ?? null, skill: skillName, task: taskDir })
  return { ...describeRow(row, caller), artifacts, log: logPath(effort), skillConfig: skill }
}

/** Why it cannot be made; null: it is there. */
function makeFolder(path: string): string | null {
  try {
    mkdirSync(path, { recursive: true })
    return null
  } catch (error) {
    return `${path} cannot be made: ${error instanceof Error ? error.message : String(error)}`
  }
}

function startMetadata(given: Params, skill: SkillConfig | null): Params {
  const own = Array.isArray(given.guards) ? given.guards : []
  const guards = [...(skill?.guards ?? []), ...own]
  const read = readEffortGuards(guards)
  if (!read.ok) throw new RpcError(RPC_REFUSED, `the guards cannot be used: ${read.problem}`)
  return {
    ...given,
    ...(guards.length === 0 ? {} : { guards }),
    ...(skill?.heartbeatInterval === null || skill === null ? {} : { heartbeatInterval: skill.heartbeatInterval }),
  }
}

type Transaction = Parameters<Parameters<WorkParts['store']['transact']>[0]>[0]

/** What the skill said when it was used. */
async function keepSkill(tx: Transaction, root: string, skill: SkillConfig, now: string): Promise<void> {
  const row = {
    version: skill.version,
    description: skill.description,
    phases: JSON.stringify(skill.phases),
    modes: JSON.stringify(skill.modes),
    templates: JSON.stringify(skill.templates),
    next_skills: JSON.stringify(skill.nextSkills),
    directives: JSON.stringify(skill.directives),
    keywords: JSON.stringify(skill.keywords),
  }
  await tx
    .insertInto('skills')
    .values({ project_id: await ensureProject(tx, root, now), name: skill.name, ...row })
    .onConflict(conflict => conflict.columns(['project_id', 'name']).doUpdateSet(row))
    .execute()
}

function joinSessions(parts: WorkParts, agent: AgentRow, effort: EffortRow): void {
  for (const session of parts.rows.sessionsOf(agent.id)) {
    Object.assign(session, { effortId: effort.id, interval: intervalOf({ effort }), heartbeat: 0, lastEdited: null })
    parts.rows.changed(session)
  }
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
        proof: paramOf(params, 'proof') ?? null,
        phases: skill?.phases ?? [],
        force: readFlag(params, 'force'),
        now: timeText(parts.now()),
      }),
    ),
  )
  const row = await parts.rows.reloadEffort(effort.id)
  parts.publish('effort.phase', { id: effort.id, phase: row?.phase ?? null })
  return describeRow(row, caller)
}

async function finish(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const id = readNumber(params, 'id') ?? needEffort(caller).id
  await parts.rows.flush()
  const owners = await parts.store.db.selectFrom('agents').select('id').where('effort_id', '=', id).execute()
  const done = unwrap(await parts.store.transact(tx => finishEffort(tx, id, timeText(parts.now()))))
  await parts.rows.reloadEffort(id)
  for (const owner of owners) await parts.rows.reloadAgent(owner.id)
  parts.publish('effort.finished', { id })
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
    text: needText(params, 'text'),
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
    .limit(readNumber(params, 'limit') ?? 100)
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
  return {
    id,
    taskDir: effort.task_id,
    skill: effort.skill,
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

function describeRow(row: EffortRow | null, { agent }: Caller) {
  return {
    id: row?.id ?? null,
    agent: agent?.id ?? null,
    taskDir: row?.taskDir ?? null,
    skill: row?.skill ?? null,
    mode: row?.mode ?? null,
    ordinal: row?.ordinal ?? null,
    phase: row?.phase ?? null,
    lifecycle: 'active',
  }
}

function unwrap<T>(change: EffortChange<T>): T {
  if (change.ok) return change.value
  throw new RpcError(RPC_REFUSED, change.problem)
}
