// An effort is one run of a skill in a task directory; it survives sessions. Active or finished, nothing between; an agent has one active effort.
import { join, resolve } from 'node:path'
import { ensureProject } from './project.ts'
import { type Database, readObject } from './state.ts'

export interface Effort {
  readonly id: number
  readonly taskDir: string
  readonly skill: string
  readonly mode: string | null
  readonly ordinal: number
  readonly phase: string | null
  readonly lifecycle: 'active' | 'finished'
  readonly metadata: Readonly<Record<string, unknown>>
}

export type EffortChange<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

export interface StartEffort {
  /** null: whoever works in the project without an id of its own. */
  readonly agentId: string | null
  readonly projectRoot: string
  /** Relative ones start at the project. */
  readonly taskDir: string
  readonly title: string
  /** Empty or null: what the task has stays. */
  readonly description: string | null
  readonly keywords: readonly string[]
  /** The part of the project it lies in. */
  readonly workspace: string | null
  readonly skill: string
  readonly mode: string | null
  readonly firstPhase: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly now: string
}

export async function startEffort(tx: Database, start: StartEffort): Promise<EffortChange<Effort>> {
  const running = start.agentId === null ? await findUnowned(tx, start.projectRoot) : await findActiveEffort(tx, start.agentId)
  if (running !== null) {
    return {
      ok: false,
      problem: `${start.agentId ?? 'this project'} is already running ${running.skill} in ${running.taskDir} (effort ${running.id}); finish it first: belay effort finish`,
    }
  }
  const taskDir = resolve(start.projectRoot, start.taskDir)
  const projectId = await ensureProject(tx, start.projectRoot, start.now)
  await keepTask(tx, { ...start, taskDir, projectId })
  const { last } = await tx
    .selectFrom('efforts')
    .select(({ fn }) => fn.max('ordinal').as('last'))
    .where('task_id', '=', taskDir)
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('efforts')
    .values({
      task_id: taskDir,
      skill: start.skill,
      mode: start.mode,
      ordinal: Number(last ?? 0) + 1,
      lifecycle: 'active',
      current_phase: start.firstPhase,
      metadata: JSON.stringify(start.metadata),
      created_at: start.now,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (start.firstPhase !== null) await recordPhase(tx, { effortId: id, phase: start.firstPhase, proof: null, now: start.now })
  if (start.agentId !== null) await giveEffort(tx, start.agentId, id)
  const effort = await findEffort(tx, id)
  return effort === null ? { ok: false, problem: 'the effort was not stored' } : { ok: true, value: effort }
}

async function keepTask(tx: Database, task: StartEffort & { readonly projectId: number }): Promise<void> {
  const { workspace, description, keywords } = task
  const given = {
    workspace,
    ...(description === null ? {} : { description }),
    ...(keywords.length === 0 ? {} : { keywords: JSON.stringify(keywords) }),
  }
  await tx
    .insertInto('tasks')
    .values({ dir_path: task.taskDir, project_id: task.projectId, title: task.title, created_at: task.now, ...given })
    .onConflict(conflict => conflict.column('dir_path').doUpdateSet(given))
    .execute()
}

async function giveEffort(tx: Database, agentId: string, id: number): Promise<void> {
  await tx.updateTable('agents').set({ effort_id: id }).where('id', '=', agentId).execute()
  await tx
    .updateTable('sessions')
    .set({ effort_id: id, heartbeat_counter: 0, last_edited: null })
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .execute()
}

export interface PhaseStep {
  readonly effortId: number
  readonly phase: string
  readonly proof: unknown
  readonly now: string
}

/** Phases go in the skill's order; a skip needs `force`, and the record says that it was forced. */
export async function advancePhase(
  tx: Database,
  step: PhaseStep & { readonly phases: readonly string[]; readonly force: boolean },
): Promise<EffortChange<Effort>> {
  const effort = await findEffort(tx, step.effortId)
  if (effort === null || effort.lifecycle !== 'active') return { ok: false, problem: `there is no active effort ${step.effortId}` }
  const refused = step.force ? null : refusePhase(effort, step)
  if (refused !== null) return { ok: false, problem: refused }
  const proof = step.force && refusePhase(effort, step) !== null ? { forced: true, proof: step.proof ?? null } : step.proof
  await recordPhase(tx, { ...step, proof })
  await tx.updateTable('efforts').set({ current_phase: step.phase }).where('id', '=', step.effortId).execute()
  return { ok: true, value: { ...effort, phase: step.phase } }
}

function refusePhase(effort: Effort, { phase, phases }: { readonly phase: string; readonly phases: readonly string[] }): string | null {
  if (phases.length === 0) return null
  const next = phases.indexOf(phase)
  if (next < 0) return `${effort.skill} has no phase ${phase}; its phases are ${phases.join(', ')}`
  const current = effort.phase === null ? -1 : phases.indexOf(effort.phase)
  if (next === current + 1) return null
  if (next <= current) return `${effort.skill} is at ${effort.phase}, past or at ${phase}; --force goes back, and that is recorded`
  return `${phase} skips ${phases.slice(current + 1, next).join(', ')}; --force skips, and that is recorded`
}

async function recordPhase(tx: Database, { effortId, phase, proof, now }: PhaseStep): Promise<void> {
  const text = proof === null || proof === undefined ? null : JSON.stringify(proof)
  await tx.insertInto('phase_history').values({ effort_id: effortId, phase_label: phase, proof: text, created_at: now }).execute()
}

export async function finishEffort(tx: Database, id: number, now: string): Promise<EffortChange<Effort>> {
  const effort = await findEffort(tx, id)
  if (effort === null || effort.lifecycle !== 'active') return { ok: false, problem: `there is no active effort ${id}` }
  await tx.updateTable('efforts').set({ lifecycle: 'finished', finished_at: now }).where('id', '=', id).execute()
  await tx.updateTable('agents').set({ effort_id: null }).where('effort_id', '=', id).execute()
  return { ok: true, value: { ...effort, lifecycle: 'finished' } }
}

export async function findEffort(db: Database, id: number): Promise<Effort | null> {
  const row = await db.selectFrom('efforts').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    taskDir: row.task_id,
    skill: row.skill,
    mode: row.mode,
    ordinal: row.ordinal,
    phase: row.current_phase,
    lifecycle: row.lifecycle,
    metadata: readObject(row.metadata),
  }
}

async function findActiveEffort(db: Database, agentId: string): Promise<Effort | null> {
  const row = await db
    .selectFrom('agents as a')
    .innerJoin('efforts as e', 'e.id', 'a.effort_id')
    .select('e.id')
    .where('a.id', '=', agentId)
    .where('e.lifecycle', '=', 'active')
    .executeTakeFirst()
  return row === undefined ? null : findEffort(db, row.id)
}

/** The active effort of a project that belongs to no agent. */
async function findUnowned(db: Database, projectRoot: string): Promise<Effort | null> {
  const row = await db
    .selectFrom('efforts as e')
    .innerJoin('tasks as t', 't.dir_path', 'e.task_id')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .leftJoin('agents as a', 'a.effort_id', 'e.id')
    .select('e.id')
    .where('p.path', '=', projectRoot)
    .where('e.lifecycle', '=', 'active')
    .where('a.id', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : findEffort(db, row.id)
}

/** `2_IMPLEMENT_LOG.md` in the task's directory. */
export function artifactPath(effort: Pick<Effort, 'taskDir' | 'ordinal' | 'skill'>, kind: string): string {
  const name = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return join(effort.taskDir, `${effort.ordinal}_${name(effort.skill)}_${name(kind)}.md`)
}
