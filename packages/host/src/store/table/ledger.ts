// Rows of the ledger: written once, never changed (the database refuses), read by seq. A row keeps what does not follow from others: most of
// its body may stand in its form, and `prev` and the hash of the body are empty in all but old ones.
import { completeEntry, type Entry, GENESIS_HASH, type KeptEntry, readJoined } from '@belay/core/ledger'
import { type ColumnType, type RawBuilder, sql } from 'kysely'
import type { Store, Write } from '../store.ts'
import { type BodyPart, createFormReader, type FormReader, type KeptForm, sharedPolicy, sharedText, wholeBody } from './form.ts'
import { decodeText } from './raw-text.ts'

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
  body: ColumnType<BodyPart, string, never>
  /** Empty: it follows from salt and body. */
  body_hash: Fixed<string>
  /** Empty: it is the hash of the row before. */
  prev: Fixed<string>
  hash: Fixed<string>
  /** Null in rows of the first format. */
  salt: Fixed<string | null>
  /** Says that the writer wrote it; null in rows of before there was one. Not part of the record. */
  mac: Fixed<Uint8Array | null>
  /** Null: its body is whole. */
  form: Fixed<number | null>
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
  'form',
] as const

/** An entry as it is written: its body without what its form says, and its policy where no form says it. */
export interface KeptParts {
  readonly form: number | null
  readonly own: string
  readonly policy: string | null
}

export function prepareLedgerInsert(store: Store): (entry: Entry, parts: KeptParts, mac: Uint8Array) => Write {
  const names = { id: '', time: '', actor: '', session: '', kind: '', policy: '' }
  // Part of the statement: what is always the same need not be handed over with each row.
  const empty = sql.lit('')
  const blank = { seq: 0, ...names, body: '', body_hash: empty, prev: empty, hash: '', salt: '', form: 0, mac: new Uint8Array() }
  const statement = store.prepareWrite(store.db.insertInto('ledger').values(blank))
  return ({ seq, id, time, actor, session, kind, hash, salt }, { form, own, policy }, mac) => ({
    statement,
    parameters: [seq, id, time, actor, session, kind, policy, own, hash, salt, form, mac],
  })
}

/** What `readEntry` makes an entry of, in a query. */
export const ENTRY_COLUMNS = [
  ...(['seq', 'id', 'time', 'actor', 'session', 'kind', 'body', 'body_hash', 'hash', 'salt'] as const),
  sharedPolicy().as('policy'),
  sharedText().as('shared'),
  sql<string>`CASE prev WHEN '' THEN ${hashBefore()} ELSE prev END`.as('prev'),
] as const

/** The hash of the row before this one, which may have been dropped. */
function hashBefore(): RawBuilder<string> {
  const kept = sql`SELECT before.hash FROM ledger AS before WHERE before.seq = ledger.seq - 1`
  const dropped = sql`SELECT lower(hex(leaves.hash)) FROM leaves WHERE leaves.seq = ledger.seq - 1`
  return sql<string>`coalesce((${kept}), (${dropped}), ${sql.lit(GENESIS_HASH)})`
}

export interface EntryRow extends Pick<Entry, 'seq' | 'id' | 'time' | 'actor' | 'session' | 'kind' | 'policy' | 'hash' | 'salt' | 'prev'> {
  readonly body: BodyPart
  readonly body_hash: string
  readonly shared: string | null
}

/** A row as a query gives it. */
export function readEntry(row: EntryRow): Entry {
  const { seq, id, time, actor, session, kind, policy, body_hash: bodyHash, prev, hash, salt } = row
  return completeEntry({ seq, id, time, actor, session, kind, policy, body: wholeBody(row), bodyHash, prev, hash, salt }, prev)
}

const FIELD = '\u001f'
const ROW = '\u001e'

/**
 * Of the next `limit` seqs from `fromSeq` on the entries that are there, in order. A whole page comes as one value: that is faster than twelve columns a row, and
 * as bytes it survives damaged text (raw-text.ts). No text of ours holds the separators; where a row of another hand does, it falls
 * into the wrong number of fields and is given back as one that no hash fits.
 */
export function prepareLedgerRead(store: Store): (fromSeq: number, limit: number) => Promise<readonly Entry[]> {
  const read = prepareKeptRead(store)
  return async (fromSeq, limit) => {
    const { rows, before } = await read(fromSeq, limit)
    const entries: Entry[] = []
    for (const [at, row] of rows.entries()) {
      const last = rows[at - 1]
      const prev = at === 0 ? before : last?.seq === row.seq - 1 ? last.hash : row.prev === '' ? await read.hashBefore(row.seq) : ''
      entries.push(completeEntry(row, prev))
    }
    return entries
  }
}

export interface KeptPage {
  readonly rows: readonly KeptEntry[]
  /** The hash of the row in front of them. */
  readonly before: string
}

export interface KeptRead {
  (fromSeq: number, limit: number): Promise<KeptPage>
  hashBefore(seq: number): Promise<string>
}

/** The same, with their bodies whole, but without what a row does not keep. */
export function prepareKeptRead(store: Store): KeptRead {
  const fields = sql.join(LEDGER_COLUMNS.map(encodeColumn), sql` || char(31) || `)
  // Straight from the table, whose rows come by seq: through an ordered subquery each column is copied, which takes as long again.
  const query = sql`SELECT CAST(group_concat(${fields}, char(30)) AS BLOB) FROM ledger WHERE seq BETWEEN ${0} AND ${0}`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  const hashQuery = sql`SELECT CAST(${hashBefore()} AS BLOB) FROM (SELECT ${0} AS seq) AS ledger`
  const readBefore = store.prepareRead({ compile: () => hashQuery.compile(store.db) })
  const readForms = createFormReader(store)

  async function readHashBefore(seq: number): Promise<string> {
    const [row] = await readBefore([seq])
    return row?.[0] instanceof Uint8Array ? decodeText(row[0]) : ''
  }

  async function readPage(fromSeq: number, limit: number): Promise<KeptPage> {
    const [row] = await read([fromSeq, fromSeq + limit - 1])
    const bytes = row?.[0]
    if (!(bytes instanceof Uint8Array)) return { rows: [], before: '' }
    const split = decodeText(bytes)
      .split(ROW)
      .map(text => text.split(FIELD))
    const forms = await readFormsOf(split, readForms)
    const rows = split.map(of => decodeRow(of, forms))
    return { rows, before: await readHashBefore(rows[0]?.seq ?? fromSeq) }
  }

  return Object.assign(readPage, { hashBefore: readHashBefore })
}

/** The form stands last. */
function readFormsOf(rows: readonly (readonly string[])[], read: FormReader): Promise<ReadonlyMap<number, KeptForm>> {
  const ids = new Set<string>()
  for (const fields of rows) ids.add(fields.at(-1) ?? '-')
  return read([...ids].filter(id => id !== '-').map(id => Number(id.slice(1))))
}

/** What a recorded call is judged again by: its own part of the body as text, and what its form says, read once for all that have it. */
export interface RecordedCallRow extends Pick<Entry, 'seq' | 'time' | 'actor' | 'session' | 'policy'> {
  readonly own: string
  readonly shared: Readonly<Record<string, unknown>>
}

const NOTHING_SHARED: RecordedCallRow['shared'] = {}

/** Calls before they ran, of `first` to `last`, in order: as above, and without what only a verifier needs. */
export function prepareCallRead(store: Store): (first: number, last: number) => Promise<readonly RecordedCallRow[]> {
  const columns = ['seq', 'time', 'actor', 'session', 'policy', 'body', 'form'] as const
  const fields = sql.join(columns.map(encodeColumn), sql` || char(31) || `)
  const query = sql`SELECT CAST(group_concat(${fields}, char(30)) AS BLOB) FROM ledger
    WHERE seq BETWEEN ${0} AND ${0} AND kind = 'pre_tool_use'`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  const readForms = createFormReader(store)
  return async (first, last) => {
    const [row] = await read([first, last])
    const bytes = row?.[0]
    if (!(bytes instanceof Uint8Array)) return []
    const rows = decodeText(bytes)
      .split(ROW)
      .map(text => text.split(FIELD))
    const forms = await readFormsOf(rows, readForms)
    return rows.map(([seq = '', time = '', actor = '', session = '', policy = '', own = '{}', id = '-']) => {
      const form = forms.get(formId(id))
      return {
        ...{ seq: Number(seq), time, actor, session: readNullable(session) },
        ...{ policy: readNullable(policy) ?? form?.policy ?? null, own, shared: form?.values ?? NOTHING_SHARED },
      }
    })
  }
}

/** 0: there is none. */
export interface FormatSpan {
  /** Of the last row of the first format. */
  readonly lastPlain: number
  /** Of the first row of the second format. */
  readonly firstSalted: number
}

function encodeColumn(column: (typeof LEDGER_COLUMNS)[number]): RawBuilder<unknown> {
  if (column !== 'session' && column !== 'policy' && column !== 'salt' && column !== 'form') return sql.ref(column)
  return sql`CASE WHEN ${sql.ref(column)} IS NULL THEN '-' ELSE '+' || ${sql.ref(column)} END`
}

function decodeRow(fields: readonly string[], forms: ReadonlyMap<number, KeptForm>): KeptEntry {
  const [seq = '', id = '', time = '', actor = '', session = '', kind = '', policy = '', own = '', ...proof] = fields
  const [bodyHash = '', prev = '', hash = '', salt = '', formed = '-'] = proof
  const form = forms.get(formId(formed))
  const joined = form === undefined ? { body: own } : readJoined(form, own)
  return {
    seq: Number(seq),
    id,
    time,
    actor,
    session: readNullable(session),
    kind,
    policy: readNullable(policy) ?? form?.policy ?? null,
    ...joined,
    bodyHash,
    prev,
    hash: fields.length === LEDGER_COLUMNS.length ? hash : 'unreadable',
    salt: readNullable(salt),
  }
}

/** 0 is the id of none. */
function formId(text: string): number {
  return text === '-' ? 0 : Number(text.slice(1))
}

function readNullable(text: string): string | null {
  return text === '-' ? null : text.slice(1)
}
