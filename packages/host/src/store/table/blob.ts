// Large values of entries. Content and salt go when they are trimmed; the row stays, so that trimmed is never mistaken for lost.
import type { Blob } from '@belay/core/ledger'
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'

export interface BlobTable {
  hash: ColumnType<string, string, never>
  /** The entry that refers to it. */
  seq: ColumnType<number, number, never>
  salt: ColumnType<Uint8Array | null, Uint8Array, null>
  content: ColumnType<Uint8Array | null, Uint8Array, null>
}

export function prepareBlobInsert(store: Store): (blob: Blob, seq: number) => Write {
  const blank = { hash: '', seq: 0, salt: new Uint8Array(), content: new Uint8Array() }
  const statement = store.prepareWrite(store.db.insertInto('blobs').values(blank))
  return ({ hash, salt, content }, seq) => ({ statement, parameters: [hash, seq, salt, content] })
}
