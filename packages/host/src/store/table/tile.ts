// Roots of the full tiles of the Merkle tree. They follow from the ledger and are kept so that nothing has to be hashed twice.
import type { Tile, TreeReader } from '@belay/core/ledger'
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'

export interface TileTable {
  level: ColumnType<number, number, never>
  idx: ColumnType<number, number, never>
  root: ColumnType<Uint8Array, Uint8Array, never>
}

export function prepareTileInsert(store: Store): (tile: Tile) => Write {
  const statement = store.prepareWrite(store.db.insertInto('tiles').values({ level: 0, idx: 0, root: new Uint8Array() }))
  return ({ level, index, root }) => ({ statement, parameters: [level, index, root] })
}

/** The tree's hashes as they are kept: leaves in the ledger or, of dropped entries, beside it; tiles in their table. */
export function createTreeReader(store: Store): TreeReader {
  return {
    leaves: async (from, to) => {
      const kept = await store.db.selectFrom('ledger').select(['seq', 'hash']).where('seq', '>', from).where('seq', '<=', to).execute()
      const dropped = await store.db.selectFrom('leaves').select(['seq', 'hash']).where('seq', '>', from).where('seq', '<=', to).execute()
      const hashes = [
        ...kept.map(({ seq, hash }) => ({ seq, hash: Buffer.from(hash, 'hex') })),
        ...dropped.map(({ seq, hash }) => ({ seq, hash: Buffer.from(hash) })),
      ]
      return hashes.sort((a, b) => a.seq - b.seq).map(({ hash }) => hash)
    },
    tiles: async (level, from, to) => {
      const query = store.db.selectFrom('tiles').select('root').where('level', '=', level).where('idx', '>=', from).where('idx', '<', to)
      return (await query.orderBy('idx').execute()).map(row => Buffer.from(row.root))
    },
  }
}
