// The proof that an entry is in its machine's ledger, as `belay ledger prove` makes it: from the hashes that stay here for ever, under the
// checkpoint that the machine signed and this hub cosigned.
import { GENESIS_HASH, HASH_BYTES, hashPerfect, proveInclusion, TILE_WIDTH, type TreeReader } from '@belay/core/ledger'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { Chain } from './extend-chain.ts'
import { readLeaf } from './leaf-tile.ts'

export interface EntryProof {
  readonly format: 'belay-proof-1'
  /** Without its body where the hub holds none. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly blobs: Readonly<Record<string, never>>
  readonly index: number
  readonly size: number
  /** Hex, from the leaf up. */
  readonly path: readonly string[]
  /** Signed by the machine's ledger and by this hub. */
  readonly checkpoint: string
  readonly keys: readonly string[]
}

/** Undefined: no cosigned checkpoint covers it yet. */
export async function proveEntry(
  db: Database,
  chain: Chain,
  row: { readonly seq: number; readonly [name: string]: unknown },
): Promise<EntryProof | undefined> {
  const { checkpoint, cosignature, checkpoint_size: size, keys } = chain
  if (checkpoint === null || row.seq > size) return undefined
  const index = row.seq - 1
  const path = await proveInclusion(createReader(db, chain.id), index, size)
  const prev = index === 0 ? GENESIS_HASH : await readLeaf(db, chain.id, index)
  const hash = await readLeaf(db, chain.id, row.seq)
  return {
    format: 'belay-proof-1',
    entry: { ...row, prev, hash },
    blobs: {},
    index,
    size,
    path: path.map(each => each.toString('hex')),
    checkpoint: `${checkpoint}${cosignature ?? ''}`,
    keys,
  }
}

/** A tile is one row; what stands above is worked out from the rows below it. */
function createReader(db: Database, chain: number): TreeReader {
  const readTiles = async (from: number, to: number): Promise<readonly Buffer[]> => {
    const rows = await db
      .selectFrom('tile')
      .select('hashes')
      .where('chain', '=', chain)
      .where(sql<boolean>`idx >= ${from} AND idx < ${to}`)
      .orderBy('idx')
      .execute()
    return rows.map(({ hashes }) => hashes)
  }
  const reader: TreeReader = {
    leaves: async (from, to) => {
      const first = Math.floor(from / TILE_WIDTH)
      const bytes = Buffer.concat(await readTiles(first, Math.ceil(to / TILE_WIDTH)))
      return Array.from({ length: to - from }, (_, at) => {
        const start = (from - first * TILE_WIDTH + at) * HASH_BYTES
        return bytes.subarray(start, start + HASH_BYTES)
      })
    },
    tiles: async (level, from, to) => {
      if (level === 0) return (await readTiles(from, to)).map(hashes => hashPerfect(hashes))
      const roots: Buffer[] = []
      for (let at = from; at < to; at++)
        roots.push(hashPerfect(Buffer.concat(await reader.tiles(level - 1, at * TILE_WIDTH, (at + 1) * TILE_WIDTH))))
      return roots
    },
  }
  return reader
}
