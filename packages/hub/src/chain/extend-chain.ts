// Adds to a chain behind its cursor, exactly once: the cursor moves by compare-and-set in the transaction that adds.
import { growTree, type Tree } from '@belay/core/ledger'
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
  let grown = tree
  let treeAt = tree.size === at ? tree : undefined
  for (const hash of hashes) {
    grown = growTree(grown, Buffer.from(hash, 'hex')).tree
    if (grown.size === at) treeAt = grown
  }
  return { tree: grown, treeAt }
}
