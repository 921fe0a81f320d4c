// An effort of this machine goes on elsewhere: it ends here, and each of its open sessions is told at its next tool call, once.
import type { Effort, EffortChange } from './effort.ts'
import { endEffort } from './end-effort.ts'
import type { WorkParts } from './work-parts.ts'
import { readSession } from './work-row.ts'

export async function letGoEffort(parts: WorkParts, id: number, owner: string): Promise<EffortChange<Effort>> {
  await parts.rows.flush()
  const open = await parts.store.db.selectFrom('sessions').selectAll().where('effort_id', '=', id).where('ended_at', 'is', null).execute()
  const ended = await endEffort(parts, id)
  if (!ended.ok) return ended
  const text = `effort ${id} (${ended.value.skill}) goes on at machine ${owner}, which has taken it up: leave it and what belongs to it alone here. This call was denied once, to tell you.`
  for (const row of open) {
    const session = await parts.rows.session(readSession(row))
    if (session === null) continue
    session.injections = [...session.injections, { kind: 'taken', text, path: null }]
    parts.rows.changed(session)
  }
  await parts.rows.flush()
  return ended
}
