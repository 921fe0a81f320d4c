// What a window leaves for the next one of its effort. It waits on the row of the session that left it and is given to every new window until
// one that got it has made progress of its own, or has handed over itself.
import type { Database } from './state.ts'

export async function leaveHandOver(tx: Database, sessionId: number, payload: string, now: string): Promise<void> {
  await useHandOvers(tx, [sessionId])
  await tx.updateTable('sessions').set({ dehydration_payload: payload, handed_over_at: now }).where('id', '=', sessionId).execute()
}

/** The session whose hand-over waits; null: none does. */
export async function findHandOver(db: Database, effortId: number | null): Promise<number | null> {
  if (effortId === null) return null
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('effort_id', '=', effortId)
    .where('handed_over_at', 'is not', null)
    .orderBy('handed_over_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id ?? null
}

/** These sessions have used what they were given: it waits no more. */
export async function useHandOvers(tx: Database, sessionIds: readonly number[]): Promise<void> {
  if (sessionIds.length === 0) return
  const given = await tx
    .selectFrom('sessions')
    .select('received_from')
    .where('id', 'in', sessionIds)
    .where('received_from', 'is not', null)
    .execute()
  const sources = given.flatMap(({ received_from }) => received_from ?? [])
  if (sources.length === 0) return
  await tx.updateTable('sessions').set({ handed_over_at: null }).where('id', 'in', sources).execute()
  await tx.updateTable('sessions').set({ received_from: null }).where('id', 'in', sessionIds).execute()
}
