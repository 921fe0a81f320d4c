// The state of a chain's Merkle tree as it is kept in its row.
import type { Tree } from '@belay/core/ledger'
import type { StoredTree } from '../database/tables.ts'

export function storeTree({ size, levels }: Tree): StoredTree {
  return {
    size,
    levels: levels.map(level => ({ size: level.size, subtrees: level.subtrees.map(subtree => Buffer.from(subtree).toString('hex')) })),
  }
}

export function readStoredTree({ size, levels }: StoredTree): Tree {
  return { size, levels: levels.map(level => ({ size: level.size, subtrees: level.subtrees.map(hash => Buffer.from(hash, 'hex')) })) }
}
