// Signed checkpoints, numbered without gaps. The note says everything; `size` is repeated for finding it.
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'
import { decodeText, rawText } from './raw-text.ts'

export interface CheckpointTable {
  n: ColumnType<number, number, never>
  size: ColumnType<number, number, never>
  note: ColumnType<string, string, never>
}

export interface CheckpointRow {
  readonly n: number
  readonly size: number
  readonly note: string
}

export function prepareCheckpointInsert(store: Store): (checkpoint: CheckpointRow) => Write {
  const statement = store.prepareWrite(store.db.insertInto('checkpoints').values({ n: 0, size: 0, note: '' }))
  return ({ n, size, note }) => ({ statement, parameters: [n, size, note] })
}

export async function findLastCheckpoint(store: Store): Promise<CheckpointRow | undefined> {
  return store.db.selectFrom('checkpoints').selectAll().orderBy('n', 'desc').limit(1).executeTakeFirst()
}

/** Those of a range of sizes, both ends included, up to number `lastN`, in order of n. */
export async function readCheckpoints(store: Store, first: number, last: number, lastN: number): Promise<readonly CheckpointRow[]> {
  const query = store.db
    .selectFrom('checkpoints')
    .select(['n', 'size', rawText('note').as('note')])
    .where('size', '>=', first)
  const rows = await query.where('size', '<=', last).where('n', '<=', lastN).orderBy('n').execute()
  return rows.map(({ n, size, note }) => ({ n, size, note: decodeText(note) }))
}
