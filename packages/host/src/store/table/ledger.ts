// Rows of the ledger: written once, never changed (the database refuses), read by seq.
import type { Entry } from '@belay/core/ledger'
import type { ColumnType } from 'kysely'
import type { PreparedRead, SqlValue, Store, Write } from '../store.ts'

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
  tool: Derived
  verdict: Derived
  commitment: Derived
}

/** In the order in which rows are written and read. */
export const LEDGER_COLUMNS = ['seq', 'id', 'time', 'actor', 'session', 'kind', 'policy', 'body', 'body_hash', 'prev', 'hash'] as const

export function prepareLedgerInsert(store: Store): (entry: Entry) => Write {
  const blank = { seq: 0, id: '', time: '', actor: '', session: '', kind: '', policy: '', body: '', body_hash: '', prev: '', hash: '' }
  const statement = store.prepareWrite(store.db.insertInto('ledger').values(blank))
  return ({ seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash }) => ({
    statement,
    parameters: [seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash],
  })
}

/** Entries from `fromSeq` on, at most `limit`, in order. */
export function prepareLedgerRead(store: Store): (fromSeq: number, limit: number) => Promise<readonly Entry[]> {
  const read: PreparedRead = store.prepareRead(
    store.db.selectFrom('ledger').select(LEDGER_COLUMNS).where('seq', '>=', 0).orderBy('seq').limit(0),
  )
  return async (fromSeq, limit) => (await read([fromSeq, limit])).map(readEntry)
}

/** The row's columns, in the order of LEDGER_COLUMNS. A column of the wrong type is kept as text, so that its hash shows it. */
export function readEntry(row: readonly SqlValue[]): Entry {
  const [seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash] = row
  return {
    seq: Number(seq),
    id: String(id),
    time: String(time),
    actor: String(actor),
    session: session == null ? null : String(session),
    kind: String(kind),
    policy: policy == null ? null : String(policy),
    body: String(body),
    bodyHash: String(bodyHash),
    prev: String(prev),
    hash: String(hash),
  }
}
