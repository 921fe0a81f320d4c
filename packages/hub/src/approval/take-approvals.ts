// What machines say of their requests: that one waits, and what came of it. A row is decided once, by whoever is first.
import type { SharedApproval } from '@belay/core/team'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** Longer than any request stays open. */
const MAX_LEFT_MS = 30 * 86_400_000

export async function takeApproval(db: Database, machine: string, sent: SharedApproval): Promise<void> {
  const { id, state, facts, requester, approvers, decidedBy, note } = sent
  const expires_at = new Date(Date.now() + Math.min(Math.max(sent.leftMs, 0), MAX_LEFT_MS))
  await db
    .insertInto('approval')
    .values({ machine, id, facts: JSON.stringify(facts), requester, approvers: [...approvers], expires_at })
    .onConflict(conflict => conflict.columns(['machine', 'id']).doNothing())
    .execute()
  if (state === 'pending') return
  // Decided on the machine while nobody here had; else what was decided here stays, beside what the machine made of it.
  const decided = { state, decided_at: new Date(), decided_by: decidedBy, note, via: 'machine' }
  await db.updateTable('approval').set(decided).where('machine', '=', machine).where('id', '=', id).where('state', '=', 'pending').execute()
  await db
    .updateTable('approval')
    .set({ outcome: state, outcome_by: decidedBy })
    .where('machine', '=', machine)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

export interface HandedDecision {
  readonly id: string
  readonly decision: 'allowed' | 'denied'
  readonly by: string
  readonly note: string | null
}

/** Decided here, and not yet heard of from the machine. */
export async function findDecisions(db: Database, machine: string, known: readonly string[]): Promise<readonly HandedDecision[]> {
  const rows = await db
    .selectFrom('approval')
    .select(['id', 'state', 'decided_by', 'note'])
    .where('machine', '=', machine)
    .where('outcome', 'is', null)
    .where('via', '=', 'hub')
    .execute()
  return rows.flatMap(({ id, state, decided_by, note }) =>
    (state === 'allowed' || state === 'denied') && !known.includes(id) ? [{ id, decision: state, by: `human:${decided_by}`, note }] : [],
  )
}

/** Whether anybody who could decide is told of what waits, or looks. */
export async function isWatched(db: Database, hasNotices: boolean): Promise<boolean> {
  if (hasNotices) return true
  const { rows } = await sql<{ is: boolean }>`
    SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'approversSeen' AND value::timestamptz > now() - interval '30 seconds') AS is`.execute(db)
  return rows[0]?.is ?? false
}

/** True: nobody had looked for a while. */
export async function noteWatching(db: Database): Promise<boolean> {
  const wasWatched = await isWatched(db, false)
  await sql`
    INSERT INTO meta (key, value) VALUES ('approversSeen', now()::text)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
    WHERE meta.value::timestamptz < now() - interval '5 seconds'`.execute(db)
  return !wasWatched
}
