// Entries of all machines in the order in which the hub received them. Who asks again names the last moment seen; a little before it is
// answered once more, because what was sent at the same time may be there only now. Whoever shows them knows each by chain and place.
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

export interface LiveEntry {
  readonly chain: number
  readonly seq: number
  readonly machine: string
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly tool: string | null
  readonly verdict: string | null
  readonly rule: string | null
  readonly received: Date
  /** What the agent wanted, where the machine sends bodies. */
  readonly summary: string | null
}

const MAX_ROWS = 500
const MACHINES = 50
const EACH = 40

export async function listLive(db: Database, since: string | null): Promise<{ readonly entries: readonly LiveEntry[] }> {
  const { rows } = since === null ? await findLast(db) : await findSince(db, since)
  return { entries: rows.map(({ body, ...row }) => ({ ...row, summary: summaryOf(body) })) }
}

type Row = Omit<LiveEntry, 'summary'> & { readonly body: string | null }

const COLUMNS = sql`e.chain, e.seq, m.name AS machine, e.time, e.actor, e.session, e.kind, e.tool, e.verdict, e.rule, e.received, left(e.body, 20000) AS body`

function findSince(db: Database, since: string) {
  return sql<Row>`
    SELECT ${COLUMNS} FROM entry e JOIN chain c ON c.id = e.chain JOIN machine m ON m.id = c.machine
    WHERE e.day >= (${since}::timestamptz - interval '10 seconds')::date AND e.received > ${since}::timestamptz - interval '10 seconds'
    ORDER BY e.received DESC, e.chain, e.seq DESC LIMIT ${MAX_ROWS}`.execute(db)
}

/** The last of the machines that were heard of last: whatever the hour, there is something to see. */
function findLast(db: Database) {
  return sql<Row>`
    SELECT ${COLUMNS} FROM (SELECT * FROM machine WHERE last_seen IS NOT NULL ORDER BY last_seen DESC LIMIT ${MACHINES}) m
    JOIN chain c ON c.machine = m.id
    JOIN LATERAL (SELECT * FROM entry WHERE chain = c.id ORDER BY seq DESC LIMIT ${EACH}) e ON true
    ORDER BY e.received DESC, e.chain, e.seq DESC LIMIT ${MAX_ROWS}`.execute(db)
}

/** The command where there is one: what people know a call by. */
function summaryOf(text: string | null): string | null {
  if (text === null) return null
  try {
    const { input } = JSON.parse(text) as { input?: Readonly<Record<string, unknown>> }
    const first = input?.command ?? input?.file_path ?? input?.url ?? input?.pattern
    return typeof first === 'string' ? first.slice(0, 300) : null
  } catch {
    // Longer than what was read of it.
    return null
  }
}
