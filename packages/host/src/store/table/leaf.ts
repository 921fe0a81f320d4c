// Hashes of entries that were dropped whole. With them the tree over all entries stays what it was.
import type { ColumnType } from 'kysely'
import type { Store } from '../store.ts'

export interface LeafTable {
  seq: ColumnType<number, number, never>
  hash: ColumnType<Uint8Array, Uint8Array, never>
}

/** Of the entries from `first` to `last`: seq -> hash in hex. */
export function prepareDroppedRead(store: Store): (first: number, last: number) => Promise<ReadonlyMap<number, string>> {
  const read = store.prepareRead(store.db.selectFrom('leaves').select(['seq', 'hash']).where('seq', '>=', 0).where('seq', '<=', 0))
  return async (first, last) =>
    new Map((await read([first, last])).map(([seq, hash]) => [Number(seq), Buffer.from(hash as Uint8Array).toString('hex')]))
}
