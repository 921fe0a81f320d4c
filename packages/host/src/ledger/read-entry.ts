// Finding entries: by name, by what they say, and as they come.
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalJson, type Entry } from '@belay/core/ledger'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { bodyField } from '../store/table/form.ts'
import { prepareDroppedRead } from '../store/table/leaf.ts'
import { ENTRY_COLUMNS, prepareLedgerRead, readEntry } from '../store/table/ledger.ts'
import type { Tables } from '../store/table/tables.ts'

export interface EntryFilter {
  /** These may hold `*` for any text. */
  readonly actor?: string
  readonly kind?: string
  readonly tool?: string
  readonly verdict?: string
  readonly session?: string
  readonly commitment?: string
  /** `claude-code`, `codex` ... */
  readonly agent?: string
  readonly agentId?: string
  /** The agent's own id of a call. */
  readonly toolUseId?: string
  /** Its root. */
  readonly project?: string
  /** ISO times, both ends included. */
  readonly since?: string
  readonly until?: string
  /** Somewhere in the body, large values beside it included; upper and lower case alike. */
  readonly text?: string
  /** Range of seq, both ends included. */
  readonly first?: number
  readonly last?: number
}

export interface QueryOptions {
  readonly limit: number
  readonly newestFirst: boolean
}

const FOLLOW_MS = 150
const PAGE_ROWS = 500

export async function queryEntries(store: Store, filter: EntryFilter, { limit, newestFirst }: QueryOptions): Promise<readonly Entry[]> {
  const query = store.db
    .selectFrom('ledger')
    .select(ENTRY_COLUMNS)
    .where(eb => eb.and(listConditions(eb, filter)))
    .orderBy('seq', newestFirst ? 'desc' : 'asc')
    .limit(limit)
  return (await query.execute()).map(readEntry)
}

/** 0: there is none. */
export async function readLastSeq(store: Store): Promise<number> {
  const row = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** All that match, in order, a page at a time. */
export async function* streamEntries(store: Store, filter: EntryFilter): AsyncGenerator<Entry> {
  for (let first = filter.first ?? 1; ; ) {
    const page = await queryEntries(store, { ...filter, first }, { limit: PAGE_ROWS, newestFirst: false })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE_ROWS) return
    first = last.seq + 1
  }
}

/** What matches from now on, until the signal. Sees what other processes write. */
export async function* followEntries(store: Store, filter: EntryFilter, signal: AbortSignal): AsyncGenerator<Entry> {
  let first = filter.first ?? 1
  while (!signal.aborted) {
    for await (const entry of streamEntries(store, { ...filter, first })) {
      first = entry.seq + 1
      yield entry
    }
    await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined)
  }
}

export type FoundEntry =
  | { readonly kind: 'found'; readonly entry: Entry }
  | { readonly kind: 'none' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'several'; readonly ids: readonly string[] }

/** By seq, by id, or by the beginning of an id if only one begins like that. */
export async function findEntry(store: Store, reference: string): Promise<FoundEntry> {
  if (/^[1-9]\d{0,14}$/.test(reference)) {
    const [entry] = await prepareLedgerRead(store)(Number(reference), 1)
    if (entry?.seq === Number(reference)) return { kind: 'found', entry }
    const seq = Number(reference)
    if ((await prepareDroppedRead(store)(seq, seq)).size > 0) return { kind: 'dropped' }
  }
  if (!/^[0-9A-Za-z_-]{4,}$/.test(reference)) return { kind: 'none' }
  const query = store.db
    .selectFrom('ledger')
    .select(ENTRY_COLUMNS)
    .where('id', '>=', reference)
    .where('id', '<', `${reference}~`)
    .orderBy('id')
  const entries = (await query.limit(6).execute()).map(readEntry)
  const [entry] = entries
  if (!entry) return { kind: 'none' }
  if (entries.length === 1 || entry.id === reference) return { kind: 'found', entry }
  return { kind: 'several', ids: entries.map(({ id }) => id) }
}

function listConditions(eb: ExpressionBuilder<Tables, 'ledger'>, filter: EntryFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  for (const column of ['actor', 'kind', 'tool', 'session', 'commitment'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) conditions.push(wanted.includes('*') ? isLike(eb.ref(column), starsOf(wanted)) : eb(column, '=', wanted))
  }
  for (const [name, key] of BODY_FIELDS) {
    const wanted = filter[name]
    if (wanted === undefined) continue
    const { own, shared } = bodyField(`$.${key}`)
    const isWanted = (field: Expression<string | null>) =>
      wanted.includes('*') ? isLike(field, starsOf(wanted)) : sql<SqlBool>`${field} = ${wanted}`
    conditions.push(eb.or([isWanted(own), hasForm(isWanted(shared))]))
  }
  const { verdict, since, until, text, first, last } = filter
  if (verdict !== undefined) conditions.push(eb(verdict === 'deny' || verdict === 'ask' ? 'refusal' : 'verdict', '=', verdict))
  if (since !== undefined) conditions.push(eb('time', '>=', since))
  if (until !== undefined) conditions.push(eb('time', '<=', until))
  if (text !== undefined) conditions.push(holdsText(eb, text))
  if (first !== undefined) conditions.push(eb('seq', '>=', first))
  if (last !== undefined) conditions.push(eb('seq', '<=', last))
  return conditions
}

/** Of the body, without a column of their own. */
const BODY_FIELDS = [
  ['agent', 'agent'],
  ['agentId', 'agentId'],
  ['toolUseId', 'toolUseId'],
  ['project', 'root'],
] as const

/** Bodies are JSON, so a quote or a line end stands in them escaped; a value beside the body may be plain text. */
function holdsText(eb: ExpressionBuilder<Tables, 'ledger'>, text: string): Expression<SqlBool> {
  const plain = `%${literalOf(text)}%`
  const quoted = `%${literalOf(canonicalJson(text).slice(1, -1))}%`
  const content = sql<string>`CAST(content AS TEXT)`
  const beside = eb
    .selectFrom('blobs')
    .select('blobs.seq')
    .whereRef('blobs.seq', '=', 'ledger.seq')
    .where(of => of.or([isLike(content, plain), isLike(content, quoted)]))
  const own = sql<string>`body`
  return eb.or([isLike(own, quoted), hasForm(isLike(sql<string>`text`, quoted)), eb.exists(beside)])
}

/** A form is looked at once, whatever the number of its entries. */
function hasForm(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`form IN (SELECT forms.id FROM forms WHERE ${condition})`
}

function isLike(value: Expression<string | null>, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${value} LIKE ${pattern} ESCAPE '\\'`
}

/** What LIKE takes for itself. */
function literalOf(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

/** `*` stands for any text, nothing else for anything but itself. */
function starsOf(pattern: string): string {
  return literalOf(pattern).replaceAll('*', '%')
}
