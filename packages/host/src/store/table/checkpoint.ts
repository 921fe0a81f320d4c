// Signed checkpoints, numbered without gaps. The note says everything; `size` is repeated for finding it.
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'

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

/** The first checkpoint that covers `seq`: the smallest tree in which it can be proved. */
export async function findSealingCheckpoint(store: Store, seq: number): Promise<CheckpointRow | undefined> {
  return store.db.selectFrom('checkpoints').selectAll().where('size', '>=', seq).orderBy('n').limit(1).executeTakeFirst()
}
