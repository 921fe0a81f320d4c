// Public keys that ever signed a checkpoint of this ledger, as C2SP verifier keys. The last one is in use.
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'
import { decodeText, rawText } from './raw-text.ts'

export interface KeyTable {
  n: ColumnType<number, number, never>
  key: ColumnType<string, string, never>
}

export function prepareKeyInsert(store: Store): (n: number, key: string) => Write {
  const statement = store.prepareWrite(store.db.insertInto('keys').values({ n: 0, key: '' }))
  return (n, key) => ({ statement, parameters: [n, key] })
}

/** Oldest first. */
export async function listKeys(store: Store): Promise<readonly string[]> {
  return (await store.db.selectFrom('keys').select(rawText('key').as('key')).orderBy('n').execute()).map(row => decodeText(row.key))
}
