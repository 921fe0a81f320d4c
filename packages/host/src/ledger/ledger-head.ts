// Where the ledger stands: what the next entry is chained to, and how far it is sealed. Read from disk at start and after every failure.
import { EMPTY_TREE, GENESIS_HASH, readTree, type Tree } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import { findLastCheckpoint } from '../store/table/checkpoint.ts'
import { createTreeReader } from '../store/table/tile.ts'

export interface LedgerHead {
  readonly hash: string
  readonly tree: Tree
  /** Of the last checkpoint: its number and how many entries it covers. */
  readonly sealed: { readonly n: number; readonly size: number }
}

export const EMPTY_HEAD: LedgerHead = { hash: GENESIS_HASH, tree: EMPTY_TREE, sealed: { n: 0, size: 0 } }

export async function readHead(store: Store): Promise<LedgerHead> {
  const last = await store.db.selectFrom('ledger').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
  if (!last) return EMPTY_HEAD
  const checkpoint = await findLastCheckpoint(store)
  return {
    hash: last.hash,
    tree: await readTree(createTreeReader(store), last.seq),
    sealed: { n: checkpoint?.n ?? 0, size: checkpoint?.size ?? 0 },
  }
}
