// Entries of all machines, the newest first. Only what stands in columns is searched; a body is shown where the hub holds one.
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

const FIELDS = ['actor', 'session', 'kind', 'tool', 'verdict', 'rule', 'policy'] as const
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
/** Of a body that is listed; a longer one is shown with its entry. */
const LISTED_CHARACTERS = 20_000

export interface FoundEntry {
  readonly machine: string
  readonly chain: number
  readonly seq: number
  readonly day: string
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly policy: string | null
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
  readonly body: string | null
  readonly erased: readonly string[] | null
  readonly isProved: boolean
  readonly received: Date
}

export async function searchEntries(
  db: Database,
  query: URLSearchParams,
): Promise<{ readonly entries: readonly FoundEntry[]; readonly searched: string }> {
  const wanted = Number(query.get('limit') ?? DEFAULT_LIMIT)
  const limit = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, MAX_LIMIT) : DEFAULT_LIMIT
  let select = db
    .selectFrom('entry')
    .innerJoin('chain', 'chain.id', 'entry.chain')
    .innerJoin('machine', 'machine.id', 'chain.machine')
    .select([
      'machine.name as machine',
      'entry.chain',
      'entry.seq',
      'entry.day',
      'entry.time',
      'entry.actor',
      'entry.session',
      'entry.kind',
    ])
    .select(['entry.policy', 'entry.judge', 'entry.rule', 'entry.tool', 'entry.verdict', 'entry.erased', 'entry.is_proved as isProved'])
    .select('entry.received')
    .select(sql<string | null>`CASE WHEN length(entry.body) <= ${sql.lit(LISTED_CHARACTERS)} THEN entry.body END`.as('body'))
    .orderBy('entry.day', 'desc')
    .orderBy('entry.received', 'desc')
    .orderBy('entry.chain')
    .orderBy('entry.seq', 'desc')
    .limit(limit)
  for (const field of FIELDS) {
    const text = query.get(field)
    if (text !== null) select = select.where(`entry.${field}`, '=', text)
  }
  const [machine, day] = [query.get('machine'), query.get('day')]
  if (machine !== null) select = select.where('machine.name', '=', machine)
  if (day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day)) select = select.where('entry.day', '=', day)
  return { entries: await select.execute(), searched: 'heads of entries' }
}
