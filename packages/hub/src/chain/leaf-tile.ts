// Hashes of a chain's entries, 256 in a row: they stay when the entries are pruned, so that every proof holds.
import { HASH_BYTES, TILE_WIDTH } from '@belay/core/ledger'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** Adds hashes behind the first `size` of the chain that was `moved`; undefined: there are none. */
export function addLeaves(size: number, hashes: readonly string[]): RawBuilder<unknown> | undefined {
  if (hashes.length === 0) return undefined
  const [places, pieces]: [number[], Buffer[]] = [[], []]
  for (let at = 0; at < hashes.length; ) {
    const idx = Math.floor((size + at) / TILE_WIDTH)
    const end = Math.min(hashes.length, (idx + 1) * TILE_WIDTH - size)
    places.push(idx)
    pieces.push(Buffer.from(hashes.slice(at, end).join(''), 'hex'))
    at = end
  }
  return sql`
    INSERT INTO tile (chain, idx, hashes) SELECT moved.id, t.* FROM moved, unnest(${places}::bigint[], ${pieces}::bytea[]) AS t
    ON CONFLICT (chain, idx) DO UPDATE SET hashes = tile.hashes || excluded.hashes`
}

/** The hash of entry `seq`, from 1; undefined: there is none. */
export async function readLeaf(db: Database, chain: number, seq: number): Promise<string | undefined> {
  if (seq < 1) return undefined
  const idx = Math.floor((seq - 1) / TILE_WIDTH)
  const at = ((seq - 1) % TILE_WIDTH) * HASH_BYTES
  const row = await db.selectFrom('tile').select('hashes').where('chain', '=', chain).where('idx', '=', idx).executeTakeFirst()
  return row && row.hashes.length >= at + HASH_BYTES ? row.hashes.toString('hex', at, at + HASH_BYTES) : undefined
}

/** All of them, tile by tile. */
export async function* streamLeaves(db: Database, chain: number): AsyncGenerator<Buffer> {
  for (let idx = 0; ; idx++) {
    const row = await db.selectFrom('tile').select('hashes').where('chain', '=', chain).where('idx', '=', idx).executeTakeFirst()
    if (!row) return
    yield row.hashes
  }
}
