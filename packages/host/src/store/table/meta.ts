// Facts about the store as a whole.
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'
import { decodeText, rawText } from './raw-text.ts'

export interface MetaTable {
  key: ColumnType<string, string, never>
  value: ColumnType<string, string, never>
}

/** The name of this ledger, first line of all its checkpoints. Given once, at creation. */
export async function findOrigin(store: Store): Promise<string | undefined> {
  const row = await store.db.selectFrom('meta').select(rawText('value').as('value')).where('key', '=', 'origin').executeTakeFirst()
  return row && decodeText(row.value)
}

export function prepareOriginInsert(store: Store): (origin: string) => Write {
  const statement = store.prepareWrite(store.db.insertInto('meta').values({ key: '', value: '' }))
  return origin => ({ statement, parameters: ['origin', origin] })
}
