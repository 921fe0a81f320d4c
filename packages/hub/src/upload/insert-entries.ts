// Rows of many entries in one statement: one list for each column.
import type { UploadedHead } from '@belay/core/team'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

export interface CheckedRow {
  readonly seq: number
  readonly head: UploadedHead
  /** Head, and body where there is one, are what the machine's ledger holds; else only the hash is. */
  readonly isProved: boolean
}

export async function insertEntries(
  tx: Database,
  { chain, day }: { chain: number; day: string },
  rows: readonly CheckedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const list = <T>(read: (row: CheckedRow) => T): T[] => rows.map(read)
  await sql`
    INSERT INTO entry (chain, day, seq, format, is_proved, id, time, actor, session, kind, policy, judge, rule, tool, verdict, body_hash, body, salt, erased)
    SELECT ${chain}::bigint, ${day}::date, e.* FROM unnest(
      ${list(row => row.seq)}::bigint[], ${list(row => row.head.format)}::smallint[], ${list(row => row.isProved)}::boolean[],
      ${list(row => row.head.id)}::text[], ${list(row => row.head.time)}::text[], ${list(row => row.head.actor)}::text[],
      ${list(row => row.head.session)}::text[], ${list(row => row.head.kind)}::text[], ${list(row => row.head.policy)}::text[],
      ${list(row => row.head.judge)}::text[], ${list(row => row.head.rule)}::text[], ${list(row => row.head.tool)}::text[],
      ${list(row => row.head.verdict)}::text[], ${list(row => row.head.bodyHash)}::text[], ${list(row => row.head.body ?? null)}::text[],
      ${list(row => row.head.salt ?? null)}::text[],
      ${list(row => (row.head.erased === undefined ? null : JSON.stringify(row.head.erased)))}::jsonb[]
    ) AS e`.execute(tx)
}
