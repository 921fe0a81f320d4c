// task.list | show, agent.list | show | check, directive.list | discover, skill.list | show, run.register | next | end
import { resolve } from 'node:path'
import { findMissing } from '../config/skill.ts'
import { isDoctors } from '../fleet/doctor-name.ts'
import { needText, type Params, readFlag, readText } from '../rpc/param.ts'
import { RPC_REFUSED, RpcError } from '../rpc/rpc.ts'
import { findDirectives, folderOf } from '../state/directive.ts'
import { readList } from '../state/state.ts'
import { changeStatus, markChecked } from '../state/status.ts'
import { closeWindow } from '../state/window.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { findCaller } from './caller.ts'

export function createWorkMethods(parts: WorkParts) {
  return [
    ['task.list', (params: Params) => listTasks(parts, params)],
    ['task.show', (params: Params) => showTask(parts, params)],
    ['agent.list', () => listAgents(parts)],
    ['agent.show', (params: Params) => showAgent(parts, params)],
    ['agent.check', (params: Params) => checkAgent(parts, params)],
    ['directive.list', (params: Params) => listDirectives(parts, params)],
    ['directive.discover', (params: Params) => discover(parts, params)],
    ['skill.list', (params: Params) => listSkills(parts, params)],
    ['skill.show', (params: Params) => showSkill(parts, params)],
    ['run.register', (params: Params) => registerRun(parts, params)],
    ['run.next', (params: Params) => parts.runs.next(needText(params, 'runId'))],
    ['run.end', (params: Params) => endRun(parts, params)],
  ] as const
}

async function listTasks(parts: WorkParts, params: Params) {
  const { root } = await findCaller(parts, params)
  let query = parts.store.db
    .selectFrom('task_summary as t')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['t.dir_path as dir', 't.title', 't.efforts', 't.state', 'p.path as project'])
    .orderBy('t.dir_path')
  if (!readFlag(params, 'all')) query = query.where('p.path', '=', root)
  return query.execute()
}

async function showTask(parts: WorkParts, params: Params) {
  const { cwd } = await findCaller(parts, params)
  const dir = resolve(cwd, needText(params, 'dir'))
  const { db } = parts.store
  const task = await db.selectFrom('tasks').selectAll().where('dir_path', '=', dir).executeTakeFirst()
  if (task === undefined) throw new RpcError(RPC_REFUSED, `${dir} is not a task; belay task list shows them`)
  const efforts = await db
    .selectFrom('efforts')
    .select([
      'id',
      'ordinal',
      'skill',
      'mode',
      'lifecycle',
      'current_phase as phase',
      'created_at as createdAt',
      'finished_at as finishedAt',
    ])
    .where('task_id', '=', dir)
    .orderBy('ordinal')
    .execute()
  const state = efforts.some(({ lifecycle }) => lifecycle === 'active') ? 'active' : 'dormant'
  return {
    dir,
    title: task.title,
    workspace: task.workspace,
    description: task.description,
    keywords: readList(task.keywords),
    state,
    createdAt: task.created_at,
    efforts,
  }
}

async function listAgents(parts: WorkParts) {
  await parts.rows.flush()
  const agents = await selectAgents(parts).orderBy('last_event_at', 'desc').limit(500).execute()
  return agents.filter(({ agent, lastEventAt }) => !isDoctors(agent, lastEventAt))
}

function selectAgents({ store }: WorkParts) {
  return store.db
    .selectFrom('fleet_status')
    .select(['agent', 'label', 'role', 'status', 'status_reason as statusReason', 'last_event_at as lastEventAt'])
    .select(['effort_id as effortId', 'task', 'skill', 'phase', 'session_id as sessionId', 'agent_kind as kind', 'project_root as project'])
    .select(['heartbeat', 'heartbeat_interval as interval', 'context', 'last_heartbeat as lastHeartbeat'])
}

async function showAgent(parts: WorkParts, params: Params) {
  const fleet = await findFleetAgent(parts, params)
  const row = await parts.store.db.selectFrom('agents').selectAll().where('id', '=', fleet.agent).executeTakeFirstOrThrow()
  return {
    ...fleet,
    parent: row.parent,
    manages: readList(row.manages),
    claims: readList(row.claims),
    targetedClaims: readList(row.targeted_claims),
  }
}

async function findFleetAgent(parts: WorkParts, params: Params) {
  const id = parts.cleanName(needText(params, 'id'))
  await parts.rows.flush()
  const fleet = await selectAgents(parts).where('agent', '=', id).executeTakeFirst()
  if (fleet === undefined) throw new RpcError(RPC_REFUSED, `there is no agent ${id}; belay agent list shows them`)
  return fleet
}

/** A person has looked. */
async function checkAgent(parts: WorkParts, params: Params) {
  const { agent: id } = await findFleetAgent(parts, params)
  const agent = await parts.rows.agent(id)
  markChecked(parts, agent)
  return { id, status: agent.status }
}

async function listDirectives(parts: WorkParts, params: Params) {
  const { effort, root, cwd } = await findCaller(parts, params)
  const seen = [...(effort?.directives ?? [])].flatMap(([directory, files]) => [...files.keys()].map(name => resolve(directory, name)))
  return { effortId: effort?.id ?? null, delivered: seen, here: findDirectives(cwd, root, parts.directives.names) }
}

async function discover(parts: WorkParts, params: Params) {
  const { root, cwd } = await findCaller(parts, params)
  const path = resolve(cwd, needText(params, 'path'))
  return { path, files: findDirectives(folderOf(path), root, parts.directives.names) }
}

async function listSkills(parts: WorkParts, params: Params) {
  const { root } = await findCaller(parts, params)
  const path = readText(params, 'path') ?? parts.path
  return parts.skills.list(root).map(skill => ({ ...skill, missing: findMissing(skill, path) }))
}

async function showSkill(parts: WorkParts, params: Params) {
  const { root } = await findCaller(parts, params)
  const name = needText(params, 'name')
  const skill = parts.skills.find(root, name)
  if (skill === null) throw new RpcError(RPC_REFUSED, `there is no skill ${name}; belay skill list shows them`)
  return { ...skill, missing: findMissing(skill, readText(params, 'path') ?? parts.path) }
}

function registerRun(parts: WorkParts, params: Params) {
  const runId = needText(params, 'runId')
  const run = { runId, agentId: parts.cleanName(readText(params, 'agentId') ?? runId) }
  parts.runs.register(run)
  return run
}

/** The agent's process is gone, and so are its windows; nobody works there any more. */
async function endRun(parts: WorkParts, params: Params) {
  const runId = needText(params, 'runId')
  const agentId = parts.runs.agentOf(runId) ?? readText(params, 'agentId')
  parts.runs.end(runId)
  if (agentId === null || parts.runs.find(parts.cleanName(agentId), null) !== null) return null
  const agent = await parts.rows.agent(parts.cleanName(agentId))
  for (const window of await openWindows(parts, agent.id)) {
    const session = await parts.rows.session(window)
    if (session !== null) await closeWindow(parts, session)
  }
  const gaveUp = readText(params, 'gaveUp')
  if (gaveUp !== null) changeStatus(parts, agent, 'error', `belay run gave up: ${gaveUp}`)
  else if (agent.status === 'working') changeStatus(parts, agent, 'done')
  return null
}

async function openWindows({ rows, store }: WorkParts, agentId: string) {
  await rows.flush()
  return store.db
    .selectFrom('sessions')
    .select(['agent_kind as agentKind', 'host_session as hostSession', 'subagent'])
    .where('agent_id', '=', agentId)
    .where('subagent', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}
