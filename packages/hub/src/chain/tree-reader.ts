// The hashes of a chain as proofs read them, from the rows that stay here for ever.
import { HASH_BYTES, hashPerfect, TILE_WIDTH, type TreeReader } from '@belay/core/ledger'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** A tile is one row; what stands above is worked out from the rows below it. */
export function createTreeReader(db: Database, chain: number): TreeReader {
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
