// Rows of the ledger: written once, never changed (the database refuses), read by seq.
import { type Entry, HASH_BYTES, LEAF_MARK, type LeafRows } from '@belay/core/ledger'
import { type ColumnType, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Store, Write } from '../store.ts'
import { asBuffer, decodeText } from './raw-text.ts'

type Fixed<T> = ColumnType<T, T, never>
/** Computed by the database from the body, for queries. Not part of the record. */
type Derived = ColumnType<string | null, never, never>

export interface LedgerTable {
  seq: Fixed<number>
  id: Fixed<string>
  time: Fixed<string>
  actor: Fixed<string>
  session: Fixed<string | null>
  kind: Fixed<string>
  policy: Fixed<string | null>
  body: Fixed<string>
  body_hash: Fixed<string>
  prev: Fixed<string>
  hash: Fixed<string>
  /** Null in rows of the first format. */
  salt: Fixed<string | null>
  /** Says that the writer wrote it; null in rows of before there was one. Not part of the record. */
  mac: Fixed<Uint8Array | null>
  tool: Derived
  verdict: Derived
  /** The verdict where it is deny or ask: those are few, so they have an index. */
  refusal: Derived
  commitment: Derived
  /** The kind where it is one of an operation on a commitment: those have an index. */
  operation: Derived
}

/** In the order in which rows are written and read. */
export const LEDGER_COLUMNS = [
  'seq',
  'id',
  'time',
  'actor',
  'session',
  'kind',
  'policy',
  'body',
  'body_hash',
  'prev',
  'hash',
  'salt',
] as const

export function prepareLedgerInsert(store: Store): (entry: Entry, mac: Uint8Array) => Write {
  const names = { id: '', time: '', actor: '', session: '', kind: '', policy: '' }
  const blank = { seq: 0, ...names, body: '', body_hash: '', prev: '', hash: '', salt: '', mac: new Uint8Array() }
  const statement = store.prepareWrite(store.db.insertInto('ledger').values(blank))
  return ({ seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt }, mac) => ({
    statement,
    parameters: [seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt, mac],
  })
}

const FIELD = '\u001f'
const ROW = '\u001e'

/**
 * Entries from `fromSeq` on, at most `limit`, in order. A whole page comes as one value: that is faster than twelve columns a row, and
 * as bytes it survives damaged text (raw-text.ts). No text of ours holds the separators; where a row of another hand does, it falls
 * into the wrong number of fields and is given back as one that no hash fits.
 */
export function prepareLedgerRead(store: Store): (fromSeq: number, limit: number) => Promise<readonly Entry[]> {
  const fields = sql.join(LEDGER_COLUMNS.map(encodeColumn), sql` || char(31) || `)
  const page = sql`SELECT ${sql.join(LEDGER_COLUMNS.map(column => sql.ref(column)))} FROM ledger WHERE seq >= ${0} ORDER BY seq LIMIT ${0}`
  const query = sql`SELECT CAST(group_concat(${fields}, char(30)) AS BLOB) FROM (${page})`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  return async (fromSeq, limit) => {
    const [row] = await read([fromSeq, limit])
    const bytes = row?.[0]
    return bytes instanceof Uint8Array ? decodeText(bytes).split(ROW).map(decodeRow) : []
  }
}

/** What a recorded call is judged again by. */
export type RecordedCallRow = Pick<Entry, 'seq' | 'time' | 'actor' | 'session' | 'policy' | 'body'>

/** Calls before they ran, of `first` to `last`, in order: as above, and without what only a verifier needs. */
export function prepareCallRead(store: Store): (first: number, last: number) => Promise<readonly RecordedCallRow[]> {
  const columns = ['seq', 'time', 'actor', 'session', 'policy', 'body'] as const
  const fields = sql.join(columns.map(encodeColumn), sql` || char(31) || `)
  const query = sql`SELECT CAST(group_concat(${fields}, char(30)) AS BLOB) FROM ledger
    WHERE seq BETWEEN ${0} AND ${0} AND kind = 'pre_tool_use'`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  return async (first, last) => {
    const [row] = await read([first, last])
    const bytes = row?.[0]
    return bytes instanceof Uint8Array ? decodeText(bytes).split(ROW).map(decodeCallRow) : []
  }
}

function decodeCallRow(text: string): RecordedCallRow {
  const [seq = '', time = '', actor = '', session = '', policy = '', body = '{}'] = text.split(FIELD)
  return { seq: Number(seq), time, actor, session: readNullable(session), policy: readNullable(policy), body }
}

export interface LeafPage extends LeafRows {
  /** Rows whose kind is one of those asked about, or whose hashes have another length. */
  readonly odd: number
  readonly formats: FormatSpan
}

/** 0: there is none. */
export interface FormatSpan {
  /** Of the last row of the first format. */
  readonly lastPlain: number
  /** Of the first row of the second format. */
  readonly firstSalted: number
}

/**
 * Rows as `checkLeaves` wants them: the database writes the leaves, which is faster than taking rows apart and writing them here.
 * Everything in a leaf is quoted or of one length, except the body: no two rows give the same leaf. `concat` and `octet_length`, because
 * `format` and `length` do not see what stands behind a NUL.
 */
export function prepareLeafRead(store: Store, kinds: readonly string[]): (first: number, last: number) => Promise<LeafPage | undefined> {
  const quote = (column: string) => sql`json_quote(${sql.ref(column)})`
  const start = sql.lit(`${String.fromCharCode(LEAF_MARK)}{"actor":`)
  const plain = sql`concat(${start}, ${quote('actor')}, ',"body":', body, ',"bodyHash":"', body_hash, '","id":', ${quote('id')}, ',"kind":', ${quote('kind')}, ',"policy":', ${quote('policy')}, ',"prev":"', prev, '","seq":', seq, ',"session":', ${quote('session')},
    ',"time":', ${quote('time')}, '}')`
  const salted = sql`concat(${start}, ${quote('actor')}, ',"bodyHash":"', body_hash, '","format":2,"id":', ${quote('id')}, ',"judge":', ${quoteField('$.judge')}, ',"kind":', ${quote('kind')}, ',"policy":', ${quote('policy')}, ',"prev":"', prev, '","rule":', ${quoteField('$.rule.id')}, ',"seq":', seq, ',"session":', ${quote('session')},
    ',"time":', ${quote('time')}, ',"tool":', ${quoteField('$.tool')}, ',"verdict":', ${quoteField('$.verdict')}, '}')`
  const leaf = sql`CASE WHEN salt IS NULL THEN ${plain} ELSE ${salted} END`
  const body = sql`concat(${sql.lit(String.fromCharCode(LEAF_MARK))}, salt, body)`
  // Not `IN`: a list is built anew for every page.
  const isOdd = sql.join(
    [
      ...kinds.map(kind => sql`kind = ${sql.lit(kind)}`),
      ...['hash', 'prev', 'body_hash'].map(column => sql`octet_length(${sql.ref(column)}) <> ${sql.lit(2 * HASH_BYTES)}`),
    ],
    sql` OR `,
  )
  // Straight from the table, whose rows come by seq: through an ordered subquery each column is copied, which takes as long again.
  const query = sql`SELECT count(*), total(${isOdd}), CAST(group_concat(${leaf}, '') AS BLOB),
    CAST(group_concat(hash, '') AS BLOB), CAST(group_concat(prev, '') AS BLOB),
    CAST(coalesce(group_concat(${body}, '') FILTER (WHERE salt IS NOT NULL), '') AS BLOB),
    CAST(coalesce(group_concat(body_hash, '') FILTER (WHERE salt IS NOT NULL), '') AS BLOB),
    max(seq) FILTER (WHERE salt IS NULL), min(seq) FILTER (WHERE salt IS NOT NULL)
    FROM ledger WHERE seq BETWEEN ${0} AND ${0}`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  return async (first, last) => {
    const [[count, odd, leaves, hashes, prevs, bodies, bodyHashes, lastPlain, firstSalted] = []] = await read([first, last])
    if (!(leaves instanceof Uint8Array && hashes instanceof Uint8Array && prevs instanceof Uint8Array)) return undefined
    if (!(bodies instanceof Uint8Array && bodyHashes instanceof Uint8Array)) return undefined
    return {
      count: Number(count),
      odd: Number(odd),
      bytes: asBuffer(leaves),
      hashes: asBuffer(hashes),
      prevs: asBuffer(prevs),
      bodies: asBuffer(bodies),
      bodyHashes: asBuffer(bodyHashes),
      formats: { lastPlain: Number(lastPlain ?? 0), firstSalted: Number(firstSalted ?? 0) },
    }
  }
}

/** What `readBodyHead` reads: text, and nothing else. */
function quoteField(path: string): RawBuilder<unknown> {
  return sql`json_quote(CASE json_type(body, ${sql.lit(path)}) WHEN 'text' THEN body ->> ${sql.lit(path)} END)`
}

function encodeColumn(column: (typeof LEDGER_COLUMNS)[number]): RawBuilder<unknown> {
  if (column !== 'session' && column !== 'policy' && column !== 'salt') return sql.ref(column)
  return sql`CASE WHEN ${sql.ref(column)} IS NULL THEN '-' ELSE '+' || ${sql.ref(column)} END`
}

function decodeRow(text: string): Entry {
  const fields = text.split(FIELD)
  const [seq = '', id = '', time = '', actor = '', session = '', kind = '', policy = '', body = '', ...proof] = fields
  const [bodyHash = '', prev = '', hash = '', salt = ''] = proof
  return {
    seq: Number(seq),
    id,
    time,
    actor,
    session: readNullable(session),
    kind,
    policy: readNullable(policy),
    body,
    bodyHash,
    prev,
    hash: fields.length === LEDGER_COLUMNS.length ? hash : 'unreadable',
    salt: readNullable(salt),
  }
}

function readNullable(text: string): string | null {
  return text === '-' ? null : text.slice(1)
}

/** A row as a query gives it. */
export function readEntry(row: Pick<Selectable<LedgerTable>, (typeof LEDGER_COLUMNS)[number]>): Entry {
  const { seq, id, time, actor, session, kind, policy, body, body_hash: bodyHash, prev, hash, salt } = row
  return { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt }
}
