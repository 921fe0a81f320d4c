// Large values of entries. Content and salt go when they are trimmed; the row stays, so that trimmed is never mistaken for lost.
import type { Blob } from '@belay/core/ledger'
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'
import { decodeText, rawText } from './raw-text.ts'

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

export interface BlobRow {
  readonly hash: string
  readonly seq: number
  readonly salt: Uint8Array | null
  readonly content: Uint8Array | null
}

/** Of the entries from `first` to `last`. */
export function prepareBlobRead(store: Store): (first: number, last: number) => Promise<readonly BlobRow[]> {
  const query = store.db.selectFrom('blobs').select(['seq', ...['salt', 'content', 'hash'].map(column => rawText(column).as(column))])
  const read = store.prepareRead(query.where('seq', '>=', 0).where('seq', '<=', 0))
  return async (first, last) =>
    (await read([first, last])).map(([seq, salt, content, hash]) => ({
      hash: hash instanceof Uint8Array ? decodeText(hash) : '',
      seq: Number(seq),
      salt: salt instanceof Uint8Array ? salt : null,
      content: content instanceof Uint8Array ? content : null,
    }))
}
