// Old entries go whole; their hashes stay, so that the tree over all entries, its checkpoints and every proof stay what they were.
// What the ledger needs of itself stays too: keys, trims, approvals, changes of policy, and all that is about a commitment.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { findLastCheckpoint } from '../store/table/checkpoint.ts'
import type { Tables } from '../store/table/tables.ts'
import { FORMS_KNOWN } from './form-book.ts'
import { LEDGER_REFUSED, LEDGER_RESTORED, LEDGER_STARTED_ANEW, SELF_KINDS } from './ledger-kind.ts'

const KEPT_KINDS: readonly string[] = [
  ...SELF_KINDS,
  LEDGER_REFUSED,
  LEDGER_RESTORED,
  LEDGER_STARTED_ANEW,
  'policy_change',
  'approval_requested',
  'approval_decided',
  'approval_used',
  'approval_expired',
  'pause',
  'resume',
]

/** Others wait while one batch goes. */
const BATCH_ROWS = 500

/** Only what a checkpoint covers may go, and never the last entry: the next one is chained to it. */
export async function limitDrop(store: Store, before: number): Promise<number> {
  const sealed = (await findLastCheckpoint(store))?.size ?? 0
  return Math.min(before, sealed)
}

export async function countDroppable(store: Store, before: number): Promise<number> {
  const { n } = await store.db
    .selectFrom('ledger')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where(isDroppable(before))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function dropEntries(store: Store, before: number): Promise<void> {
  let dropped = 1
  while (dropped > 0) dropped = await store.transact(tx => dropBatch(tx, before))
  await store.transact(dropForms)
}

async function dropBatch(tx: Kysely<Tables>, before: number): Promise<number> {
  const due = await tx.selectFrom('ledger').select('seq').where(isDroppable(before)).orderBy('seq').limit(BATCH_ROWS).execute()
  const seqs = due.map(row => row.seq)
  if (seqs.length === 0) return 0
  await sql`INSERT INTO leaves (seq, hash) SELECT seq, unhex(hash) FROM ledger WHERE seq IN (${sql.join(seqs)})`.execute(tx)
  await tx.deleteFrom('deliveries').where('seq', 'in', seqs).execute()
  await tx.deleteFrom('blobs').where('seq', 'in', seqs).execute()
  await tx.deleteFrom('ledger').where('seq', 'in', seqs).execute()
  return seqs.length
}

/** Those that no entry has any more, but for the last ones: the writer knows them and may give them to its next entry. */
async function dropForms(tx: Kysely<Tables>): Promise<void> {
  await sql`DELETE FROM forms WHERE id <= (SELECT max(id) FROM forms) - ${FORMS_KNOWN} AND NOT EXISTS (SELECT 1 FROM ledger WHERE form = forms.id)`.execute(
    tx,
  )
}

function isDroppable(before: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`seq < ${before} AND operation IS NULL AND commitment IS NULL AND kind NOT IN (${sql.join(KEPT_KINDS)})`
}
