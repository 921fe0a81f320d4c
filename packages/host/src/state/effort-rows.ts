// Active efforts in memory, all of them.

import { BoundedMap } from '@belay/core/value'
import { realPlace } from '../config/own-file.ts'
import type { Store } from '../store/store.ts'
import type { RowMirror } from './row-mirror.ts'
import { type EffortRow, readEffort } from './work-row.ts'

export interface EffortRows {
  effort(id: number | null): EffortRow | null
  /** The latest active effort of a project. */
  latestEffort(projectRoot: string): EffortRow | null
  /** It was changed in the database: read it again; null: it is no longer active. */
  reloadEffort(id: number): Promise<EffortRow | null>
}

const MAX_PROJECTS = 20_000

export async function openEffortRows(store: Store, mirror: RowMirror): Promise<EffortRows> {
  const efforts = new Map((await readActive(store)).map(effort => [effort.id, effort]))
  const latest = new BoundedMap<string, EffortRow | null>(MAX_PROJECTS)
  mirror.setEfforts([...efforts.values()])
  return {
    effort: id => (id === null ? null : (efforts.get(id) ?? null)),
    latestEffort(root) {
      const known = latest.get(root)
      if (known !== undefined) return known
      const found = findLatestEffort([...efforts.values()], root)
      latest.set(root, found)
      return found
    },
    async reloadEffort(id) {
      const [effort] = await readActive(store, id)
      latest.clear()
      if (effort === undefined) efforts.delete(id)
      else efforts.set(id, effort)
      mirror.setEfforts([...efforts.values()])
      return effort ?? null
    },
  }
}

/** The same project may be reached by several names. */
export function findLatestEffort(efforts: readonly EffortRow[], root: string): EffortRow | null {
  const real = realPlace(root)
  return efforts.filter(effort => realPlace(effort.projectRoot) === real).sort((a, b) => b.id - a.id)[0] ?? null
}

async function readActive(store: Store, id?: number): Promise<readonly EffortRow[]> {
  let query = store.db
    .selectFrom('efforts as e')
    .innerJoin('tasks as t', 't.dir_path', 'e.task_id')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .selectAll('e')
    .select('p.path')
    .where('e.lifecycle', '=', 'active')
  if (id !== undefined) query = query.where('e.id', '=', id)
  return (await query.execute()).map(({ path, ...row }) => readEffort(row, path))
}
