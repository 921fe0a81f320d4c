// A run of a skill begins, whoever asks for it: a command, a prompt, the agent's Skill tool. Its artifacts are made, its agent and open sessions
// belong to it. Everything that can be refused is refused before anything is written.

import { basename, resolve } from 'node:path'
import { errorText } from '@belay/core/value'
import { refuseTaskDir } from '../config/own-file.ts'
import { findMissing, type SkillConfig } from '../config/skill.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { createArtifacts } from './artifact.ts'
import { intervalOf } from './call-count.ts'
import { type Effort, type EffortChange, startEffort } from './effort.ts'
import { noteSkills } from './effort-skill.ts'
import { readGuardRules } from './guard-rule.ts'
import { ensureProject } from './project.ts'
import { type Database, timeText } from './state.ts'
import type { WorkParts } from './work-parts.ts'
import type { AgentRow, EffortRow } from './work-row.ts'
import { findWorkspace } from './workspace.ts'

type Json = Readonly<Record<string, unknown>>

export interface BeginEffort {
  readonly root: string
  readonly cwd: string
  /** null: whoever works in the project without an id of its own. */
  readonly agent: AgentRow | null
  readonly skill: string
  readonly mode: string | null
  /** The directory of the task; null: where it is begun. */
  readonly task: string | null
  readonly title: string | null
  readonly description: string | null
  readonly keywords: readonly string[]
  readonly metadata: Json
  /** Where the skill's programs are looked for; null: nobody knows. */
  readonly path: string | null
}

export interface BegunEffort {
  readonly effort: Effort
  readonly row: EffortRow
  readonly skill: SkillConfig | null
  readonly artifacts: readonly string[]
  /** What the skill names and is not there. */
  readonly missing: readonly string[]
}

export async function beginEffort(parts: WorkParts, begin: BeginEffort): Promise<EffortChange<BegunEffort>> {
  const { root, agent } = begin
  const skill = parts.skills.find(root, begin.skill)
  const metadata = beginMetadata(begin.metadata, skill)
  const taskDir = resolve(begin.cwd, begin.task ?? '.')
  const problem = metadata.ok ? (refuseMode(begin, skill) ?? refuseTaskDir(taskDir, root) ?? tryFolder(taskDir)) : metadata.problem
  if (problem !== null || !metadata.ok) return { ok: false, problem: problem ?? '' }
  const now = timeText(parts.now())
  if (agent !== null) parts.rows.changed(agent)
  await parts.rows.flush()
  const started = await parts.store.transact(async tx => {
    if (skill !== null) await keepSkill(tx, root, skill, now)
    return startEffort(tx, {
      ...begin,
      ...{ taskDir, now, metadata: metadata.value },
      agentId: agent?.id ?? null,
      projectRoot: root,
      title: begin.title ?? basename(taskDir),
      workspace: findWorkspace(taskDir, root),
      firstPhase: skill?.phases[0] ?? null,
    })
  })
  if (!started.ok) return started
  const row = await parts.rows.reloadEffort(started.value.id)
  if (row === null) return { ok: false, problem: 'the effort was ended at once' }
  if (agent !== null) await parts.rows.reloadAgent(agent.id)
  if (agent !== null) joinSessions(parts, agent, row)
  await noteSkills(parts, root, agent === null ? [] : [agent.id])
  const artifacts = createArtifacts(started.value, skill, now)
  parts.publish('effort.started', { id: row.id, agent: agent?.id ?? null, skill: begin.skill, task: taskDir })
  return {
    ok: true,
    value: { effort: started.value, row, skill, artifacts, missing: skill === null ? [] : findMissing(skill, begin.path) },
  }
}

function refuseMode({ skill: name, mode }: BeginEffort, skill: SkillConfig | null): string | null {
  if (mode === null || skill === null || skill.modes.length === 0 || skill.modes.includes(mode)) return null
  return `${name} has no mode ${mode}; its modes are ${skill.modes.join(', ')}`
}

/** Why it cannot be made; null: it is there. */
function tryFolder(path: string): string | null {
  try {
    makeFolder(path)
    return null
  } catch (error) {
    return errorText(error)
  }
}

function beginMetadata(given: Json, skill: SkillConfig | null): EffortChange<Json> {
  const own = Array.isArray(given.guards) ? given.guards : []
  const guards = [...(skill?.guards ?? []), ...own]
  const read = readGuardRules(guards)
  if (!read.ok) return { ok: false, problem: `the guards cannot be used: ${read.problem}` }
  return {
    ok: true,
    value: {
      ...given,
      ...(guards.length === 0 ? {} : { guards }),
      ...(skill?.heartbeatInterval === null || skill === null ? {} : { heartbeatInterval: skill.heartbeatInterval }),
    },
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
