// effort.start: a run of a skill begins; its artifacts are made, its agent and open sessions belong to it.
import { basename, resolve } from 'node:path'
import { makeFolder } from '../../config/make-folder.ts'
import { createArtifacts, logPath } from '../../state/artifact.ts'
import { startEffort } from '../../state/effort.ts'
import { readEffortGuards } from '../../state/guard-rule.ts'
import { refuseTaskDir } from '../../state/own-file.ts'
import { ensureProject } from '../../state/project.ts'
import type { SkillConfig } from '../../state/skill.ts'
import { type Database, timeText } from '../../state/state.ts'
import { intervalOf } from '../../state/window.ts'
import type { WorkParts } from '../../state/work-parts.ts'
import type { AgentRow, EffortRow } from '../../state/work-row.ts'
import { findWorkspace } from '../../state/workspace.ts'
import { RPC_REFUSED, RpcError } from '../rpc.ts'
import { type Caller, findCaller } from './caller.ts'
import { describeEffortRow, unwrap } from './effort-answer.ts'
import { needText, type Params, readRecord, readText, readTexts } from './param.ts'

export async function startEffortMethod(parts: WorkParts, params: Params) {
  const caller = await findCaller(parts, params)
  const wanted = readStart(parts, params, caller)
  const { skill, taskDir } = wanted
  const now = timeText(parts.now())
  if (caller.agent !== null) parts.rows.changed(caller.agent)
  await parts.rows.flush()
  const effort = unwrap(
    await parts.store.transact(async tx => {
      if (skill !== null) await keepSkill(tx, caller.root, skill, now)
      const agentId = caller.agent?.id ?? null
      return startEffort(tx, {
        ...wanted,
        agentId,
        projectRoot: caller.root,
        skill: wanted.name,
        firstPhase: skill?.phases[0] ?? null,
        now,
      })
    }),
  )
  const row = await parts.rows.reloadEffort(effort.id)
  if (caller.agent !== null) await parts.rows.reloadAgent(caller.agent.id)
  if (row !== null && caller.agent !== null) joinSessions(parts, caller.agent, row)
  const artifacts = createArtifacts(effort, skill, now)
  parts.publish('effort.started', { id: effort.id, agent: caller.agent?.id ?? null, skill: wanted.name, task: taskDir })
  return { ...describeEffortRow(row, caller), artifacts, log: logPath(effort), skillConfig: skill }
}

/** Everything that can be refused is refused before anything is written. */
function readStart(parts: WorkParts, params: Params, { root, cwd }: Caller) {
  const name = needText(params, 'skill')
  const mode = readText(params, 'mode')
  const skill = parts.skills.find(root, name)
  if (mode !== null && skill !== null && skill.modes.length > 0 && !skill.modes.includes(mode))
    throw new RpcError(RPC_REFUSED, `${name} has no mode ${mode}; its modes are ${skill.modes.join(', ')}`)
  const hostTask = readText(params, 'hostTask')
  const metadata = startMetadata({ ...readRecord(params, 'metadata'), ...(hostTask === null ? {} : { hostTask }) }, skill)
  const taskDir = resolve(cwd, readText(params, 'task') ?? '.')
  const refused = refuseTaskDir(taskDir, root) ?? tryFolder(taskDir)
  if (refused !== null) throw new RpcError(RPC_REFUSED, refused)
  return {
    name,
    mode,
    skill,
    metadata,
    taskDir,
    title: readText(params, 'title') ?? basename(taskDir),
    description: readText(params, 'description'),
    keywords: readTexts(params, 'keywords'),
    workspace: findWorkspace(taskDir, root),
  }
}

/** Why it cannot be made; null: it is there. */
function tryFolder(path: string): string | null {
  try {
    makeFolder(path)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
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

/** What the skill said when it was used. */
async function keepSkill(tx: Database, root: string, skill: SkillConfig, now: string): Promise<void> {
  const row = {
    version: skill.version,
    description: skill.description,
    phases: JSON.stringify(skill.phases),
    modes: JSON.stringify(skill.modes),
    templates: JSON.stringify(skill.templates),
    next_skills: JSON.stringify(skill.nextSkills),
    directives: JSON.stringify(skill.directives),
    cmd_dependencies: JSON.stringify(skill.commands),
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
