// Ends an effort, for whoever says that it is over: its agents are free again.
import { type Effort, type EffortChange, finishEffort } from './effort.ts'
import { timeText } from './state.ts'
import type { WorkParts } from './work-parts.ts'

export async function endEffort(parts: WorkParts, id: number): Promise<EffortChange<Effort>> {
  await parts.rows.flush()
  const owners = await parts.store.db.selectFrom('agents').select('id').where('effort_id', '=', id).execute()
  const done = await parts.store.transact(tx => finishEffort(tx, id, timeText(parts.now())))
  if (!done.ok) return done
  await parts.rows.reloadEffort(id)
  for (const owner of owners) await parts.rows.reloadAgent(owner.id)
  parts.publish('effort.finished', { id })
  return done
}
