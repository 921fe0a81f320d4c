// From what a hook call knows (directory, agent id, host session) to our own numbers. Any link that is missing is null: handlers let the
// agent go on and say so, they do not stop it.
import { findProjectId } from './project.ts'
import type { Database } from './state.ts'

export interface EngineIds {
  readonly projectId: number | null
  readonly effortId: number | null
  readonly engineSessionId: number | null
}

export interface Whose {
  readonly projectRoot: string
  /** null: the call names no agent; the project's latest effort stands in. */
  readonly agentId: string | null
  readonly hostSession: string
  readonly subagent: string | null
}

export async function resolveEngineIds(db: Database, whose: Whose): Promise<EngineIds> {
  const projectId = await findProjectId(db, whose.projectRoot)
  const effortId = await findEffortId(db, whose, projectId)
  return { projectId, effortId, engineSessionId: await findSessionId(db, whose) }
}

async function findEffortId(db: Database, { agentId }: Whose, projectId: number | null): Promise<number | null> {
  if (agentId !== null) {
    const own = await db
      .selectFrom('agents as a')
      .innerJoin('efforts as e', 'e.id', 'a.effort_id')
      .select('e.id')
      .where('a.id', '=', agentId)
      .where('e.lifecycle', '=', 'active')
      .executeTakeFirst()
    return own?.id ?? null
  }
  if (projectId === null) return null
  const latest = await db
    .selectFrom('efforts as e')
    .innerJoin('tasks as t', 't.dir_path', 'e.task_id')
    .select('e.id')
    .where('t.project_id', '=', projectId)
    .where('e.lifecycle', '=', 'active')
    .orderBy('e.id', 'desc')
    .executeTakeFirst()
  return latest?.id ?? null
}

async function findSessionId(db: Database, { hostSession, subagent }: Whose): Promise<number | null> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('host_session', '=', hostSession)
    .where('subagent', subagent === null ? 'is' : '=', subagent)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id ?? null
}
