// Adds to a chain behind its cursor, exactly once: the cursor moves by compare-and-set in the transaction that adds.
import { growTreeBy, HASH_BYTES, type Tree } from '@belay/core/ledger'
import type { Selectable } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { ChainTable } from '../database/tables.ts'
import { addLeaves } from './leaf-tile.ts'
import { storeTree } from './stored-tree.ts'

export type Chain = Selectable<ChainTable>

export interface Extension {
  readonly hashes: readonly string[]
  /** Of the whole chain, with them. */
  readonly tree: Tree
  readonly checkpoint?: {
    readonly size: number
    readonly note: string
    readonly cosignature: string | null
    readonly keys: readonly string[]
  }
}

/** False: somebody else has added meanwhile, and nothing was done. */
export async function extendChain(tx: Database, chain: Chain, { hashes, tree, checkpoint }: Extension): Promise<boolean> {
  const moved = await tx
    .updateTable('chain')
    .set({
      seq: tree.size,
      hash: hashes.at(-1) ?? chain.hash,
      tree: JSON.stringify(storeTree(tree)),
      ...(checkpoint && {
        checkpoint_size: checkpoint.size,
        checkpoint: checkpoint.note,
        cosignature: checkpoint.cosignature,
        keys: [...checkpoint.keys],
      }),
    })
    .where('id', '=', chain.id)
    .where('seq', '=', chain.seq)
    .where('hash', '=', chain.hash)
    .executeTakeFirst()
  if (moved.numUpdatedRows !== 1n) return false
  await addLeaves(tx, chain.id, chain.seq, hashes)
  return true
}

/** `at`: a size on the way whose tree is wanted as well. */
export function growBy(tree: Tree, hashes: readonly string[], at: number): { readonly tree: Tree; readonly treeAt: Tree | undefined } {
  const leaves = Buffer.from(hashes.join(''), 'hex')
  const cut = Math.max(0, at - tree.size) * HASH_BYTES
  if (at < tree.size || cut > leaves.length) return { tree: growTreeBy(tree, leaves).tree, treeAt: undefined }
  const treeAt = growTreeBy(tree, leaves.subarray(0, cut)).tree
  return { tree: growTreeBy(treeAt, leaves.subarray(cut)).tree, treeAt }
}
