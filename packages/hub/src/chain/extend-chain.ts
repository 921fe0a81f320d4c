// Adds to a chain behind its cursor, exactly once: the cursor moves by compare-and-set in the statement that adds.
import { growTreeBy, HASH_BYTES, type Tree } from '@belay/core/ledger'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { ChainTable } from '../database/tables.ts'
import { addLeaves } from './leaf-tile.ts'
import { storeTree } from './stored-tree.ts'

export type Chain = Selectable<ChainTable>

export interface Extension {
  readonly hashes: readonly string[]
  /** Of how many of them nothing else is kept. */
  readonly hashOnly?: number
  /** Of the whole chain, with them. */
  readonly tree: Tree
  readonly checkpoint?: {
    readonly size: number
    readonly note: string
    readonly cosignature: string | null
    readonly keys: readonly string[]
  }
}

/**
 * False: somebody else has added meanwhile, and nothing was done. `more`: what else is written with it, each reading `FROM moved`, which holds the
 * chain's id where its cursor was moved. All of it is one statement, because each further way to the database costs as much as twenty entries.
 */
export async function extendChain(
  db: Database,
  chain: Chain,
  extension: Extension,
  more: readonly (RawBuilder<unknown> | undefined)[] = [],
): Promise<boolean> {
  const parts = [addLeaves(chain.seq, extension.hashes), ...more].filter(part => part !== undefined)
  const written = parts.map((part, at) => sql`, ${sql.ref(`part${at}`)} AS (${part})`)
  const { rows } = await sql`WITH moved AS (${moveCursor(chain, extension)})${sql.join(written, sql``)} SELECT id FROM moved`.execute(db)
  return rows.length === 1
}

function moveCursor(chain: Chain, { hashes, hashOnly = 0, tree, checkpoint }: Extension): RawBuilder<unknown> {
  const signed =
    checkpoint &&
    sql`, checkpoint_size = ${checkpoint.size}, checkpoint = ${checkpoint.note}, cosignature = ${checkpoint.cosignature}, keys = ${[...checkpoint.keys]}`
  return sql`
    UPDATE chain SET seq = ${tree.size}, hash = ${hashes.at(-1) ?? chain.hash}, tree = ${JSON.stringify(storeTree(tree))}, hash_only = hash_only + ${hashOnly}${signed ?? sql``}
    WHERE id = ${chain.id} AND seq = ${chain.seq} AND hash = ${chain.hash} RETURNING id`
}

/** `at`: a size on the way whose tree is wanted as well. */
export function growBy(tree: Tree, hashes: readonly string[], at: number): { readonly tree: Tree; readonly treeAt: Tree | undefined } {
  const leaves = Buffer.from(hashes.join(''), 'hex')
  const cut = Math.max(0, at - tree.size) * HASH_BYTES
  if (at < tree.size || cut > leaves.length) return { tree: growTreeBy(tree, leaves).tree, treeAt: undefined }
  const treeAt = growTreeBy(tree, leaves.subarray(0, cut)).tree
  return { tree: growTreeBy(treeAt, leaves.subarray(cut)).tree, treeAt }
}
