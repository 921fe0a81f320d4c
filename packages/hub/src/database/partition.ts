// Entries lie in one partition for each day on which they were received: the hub's own day, because a machine's clock may say anything.
import { CompiledQuery, sql } from 'kysely'
import type { Database } from './open-database.ts'

const DAY_MS = 86_400_000

export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** Makes sure that the partition of a day is there, before it is written to. */
export function createPartitions(db: Database): (day: string) => Promise<void> {
  const known = new Set<string>()
  return async day => {
    if (known.has(day)) return
    const next = dayOf(Date.parse(day) + DAY_MS)
    await db.transaction().execute(async tx => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('belay partition'))`.execute(tx)
      const make = `CREATE TABLE IF NOT EXISTS ${nameOf(day)} PARTITION OF entry FOR VALUES FROM ('${day}') TO ('${next}')`
      await tx.executeQuery(CompiledQuery.raw(make))
    })
    known.add(day)
  }
}

/** Days that have a partition, the oldest first. */
export async function listDays(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'entry'::regclass ORDER BY 1`.execute(
    db,
  )
  return rows.map(({ name }) => name.replace(/^entry_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
}

/** Within a transaction. A day that is over gets no more entries, so they are counted before anybody has to wait. */
export async function dropDay(tx: Database, day: string): Promise<number> {
  const counted = CompiledQuery.raw(`SELECT chain, count(*)::int AS entries FROM ${nameOf(day)} GROUP BY chain`)
  const { rows } = await tx.executeQuery<{ chain: number; entries: number }>(counted)
  // Before any chain is locked: an upload locks in this order too.
  await tx.executeQuery(CompiledQuery.raw('LOCK TABLE entry IN ACCESS EXCLUSIVE MODE'))
  const [chains, entries] = [rows.map(row => row.chain), rows.map(row => row.entries)]
  await sql`
    UPDATE chain SET hash_only = hash_only + gone.entries
    FROM unnest(${chains}::bigint[], ${entries}::bigint[]) AS gone (chain, entries) WHERE chain.id = gone.chain`.execute(tx)
  await tx.executeQuery(CompiledQuery.raw(`DROP TABLE ${nameOf(day)}`))
  return entries.reduce((sum, each) => sum + each, 0)
}

/** A day is digits and dashes only. */
function nameOf(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new TypeError(`${JSON.stringify(day)} is no day`)
  return `entry_${day.replaceAll('-', '')}`
}
