// The proof that an entry is in its machine's ledger, as `belay ledger prove` makes it: from the hashes that stay here for ever, under the
// checkpoint that the machine signed and this hub cosigned.
import { GENESIS_HASH, proveInclusion } from '@belay/core/ledger'
import type { Database } from '../database/open-database.ts'
import type { Chain } from './extend-chain.ts'
import { readLeaf } from './leaf-tile.ts'
import { createTreeReader } from './tree-reader.ts'

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
  const path = await proveInclusion(createTreeReader(db, chain.id), index, size)
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
