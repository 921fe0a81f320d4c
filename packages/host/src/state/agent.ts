// Agents by their id (AGENT_ID: a pane, a worker), never by pid. What an agent does next replaces its status; a person's look (checked) never
// hides work that is going on.
import type { Database } from './state.ts'

/** A person has looked: what waited for eyes no longer does. */
export async function markChecked(tx: Database, id: string, now: string): Promise<boolean> {
  const result = await tx
    .updateTable('agents')
    .set({ status: 'checked', last_event_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['done', 'error', 'attention'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

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
