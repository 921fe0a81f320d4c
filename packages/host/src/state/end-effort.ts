// Ends an effort, for whoever says that it is over: its agents are free again.
import { type Effort, type EffortChange, finishEffort } from './effort.ts'
import { noteSkills } from './effort-skill.ts'
import { timeText } from './state.ts'
import type { WorkParts } from './work-parts.ts'

export async function endEffort(parts: WorkParts, id: number): Promise<EffortChange<Effort>> {
  await parts.rows.flush()
  const owners = await parts.store.db.selectFrom('agents').select('id').where('effort_id', '=', id).execute()
  const ownerIds = owners.map(owner => owner.id)
  const root = parts.rows.effort(id)?.projectRoot
  const done = await parts.store.transact(tx => finishEffort(tx, id, timeText(parts.now())))
  if (!done.ok) return done
  await parts.rows.reloadEffort(id)
  for (const owner of ownerIds) await parts.rows.reloadAgent(owner)
  if (root !== undefined) await noteSkills(parts, root, ownerIds)
  parts.publish('effort.finished', { id })
  return done
}
