// task.list | show, agent.list | show | bind | check, directive.list | discover, skill.list | show, run.register | next | end
import { resolve } from 'node:path'
import { bindRole } from '../../state/agent.ts'
import { findDirectives, folderOf } from '../../state/directive.ts'
import { readList, timeText } from '../../state/state.ts'
import { markChecked } from '../../state/status.ts'
import type { WorkParts } from '../../state/work-parts.ts'
import type { RouteCall } from '../http/route.ts'
import { RPC_REFUSED, RpcError } from '../rpc.ts'
import { findCaller } from './caller.ts'
import { needText, type Params, readFlag, readText } from './param.ts'
import { refuseToken } from './person.ts'

export function createWorkMethods(parts: WorkParts) {
  return [
    ['task.list', (params: Params) => listTasks(parts, params)],
    ['task.show', (params: Params) => showTask(parts, params)],
    ['agent.list', () => listAgents(parts)],
    ['agent.show', (params: Params) => showAgent(parts, params)],
    ['agent.bind', (params: Params, caller: RouteCall) => bindAgent(parts, params, caller)],
    ['agent.check', (params: Params, caller: RouteCall) => checkAgent(parts, params, caller)],
    ['directive.list', (params: Params) => listDirectives(parts, params)],
    ['directive.discover', (params: Params) => discover(parts, params)],
    ['skill.list', (params: Params) => findCaller(parts, params).then(({ root }) => parts.skills.list(root))],
    ['skill.show', (params: Params) => showSkill(parts, params)],
    ['run.register', (params: Params) => registerRun(parts, params)],
    ['run.next', (params: Params) => parts.runs.next(needText(params, 'runId'))],
    ['run.end', (params: Params) => parts.runs.end(needText(params, 'runId'))],
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
  if (task === undefined) throw new RpcError(RPC_REFUSED, `${dir} is no task; belay task list shows them`)
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
  return selectAgents(parts).orderBy('last_event_at', 'desc').limit(500).execute()
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

async function bindAgent(parts: WorkParts, params: Params, caller: RouteCall) {
  refuseToken(caller, 'a role')
  const id = parts.cleanName(needText(params, 'id'))
  const role = needText(params, 'role')
  await parts.rows.flush()
  await parts.store.transact(tx => bindRole(tx, id, { role, label: readText(params, 'label') }, timeText(parts.now())))
  const { label } = await parts.rows.reloadAgent(id)
  return { id, role, label }
}

/** A person has looked. */
async function checkAgent(parts: WorkParts, params: Params, caller: RouteCall) {
  refuseToken(caller, "a person's look")
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

async function showSkill(parts: WorkParts, params: Params) {
  const { root } = await findCaller(parts, params)
  const name = needText(params, 'name')
  const skill = parts.skills.find(root, name)
  if (skill === null) throw new RpcError(RPC_REFUSED, `there is no skill ${name}; belay skill list shows them`)
  return skill
}

function registerRun(parts: WorkParts, params: Params) {
  const runId = needText(params, 'runId')
  const run = { runId, agentId: parts.cleanName(readText(params, 'agentId') ?? runId) }
  parts.runs.register(run)
  return run
}
