// Agents by their id (AGENT_ID: a pane, a worker), never by pid.
import type { Database } from './state.ts'

/** `label`: null leaves the one there is. */
export async function bindRole(
  tx: Database,
  id: string,
  { role, label }: { role: string; label: string | null },
  now: string,
): Promise<void> {
  await tx
    .insertInto('agents')
    .values({ id, label, role, parent: null, effort_id: null, status: 'done', status_reason: null, last_event_at: now })
    .onConflict(conflict => conflict.column('id').doUpdateSet(label === null ? { role } : { role, label }))
    .execute()
}
