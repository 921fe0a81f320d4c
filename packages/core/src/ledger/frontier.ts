// The right edge of a Merkle tree (RFC 6962): the roots of the perfect subtrees that its leaves fall into, largest first.
// It is all that is needed to grow a tree and to know its root, so memory stays at O(log n) however long the ledger is.
import { EMPTY_ROOT, hashNode } from './hash.ts'

export interface Frontier {
  readonly size: number
  /** One subtree for each set bit of `size`, the highest bit first. */
  readonly subtrees: readonly Buffer[]
}

export const EMPTY_FRONTIER: Frontier = Object.freeze({ size: 0, subtrees: Object.freeze([]) })

/** Adds a perfect subtree of 2^height leaves (height 0: one leaf). The tree's size must be a multiple of that. */
export function growFrontier(frontier: Frontier, subtree: Buffer, height = 0): Frontier {
  const width = 2 ** height
  if (frontier.size % width !== 0) throw new RangeError(`a subtree of ${width} leaves cannot stand at leaf ${frontier.size}`)
  const subtrees = [...frontier.subtrees]
  let root = subtree
  for (let rest = frontier.size / width; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = subtrees.pop()
    if (left === undefined) throw new RangeError('a frontier must hold one subtree for each set bit of its size')
    root = hashNode(left, root)
  }
  subtrees.push(root)
  return { size: frontier.size + width, subtrees }
}

/** Adds what `right` holds, each of its leaves being the root of 2^height leaves here. */
export function joinFrontiers(left: Frontier, right: Frontier, height = 0): Frontier {
  let joined = left
  let rest = right.size
  for (const subtree of right.subtrees) {
    const own = Math.floor(Math.log2(rest))
    joined = growFrontier(joined, subtree, own + height)
    rest -= 2 ** own
  }
  return joined
}

export function frontierRoot(frontier: Frontier): Buffer {
  let root: Buffer | undefined
  for (const subtree of frontier.subtrees.toReversed()) root = root === undefined ? subtree : hashNode(subtree, root)
  return root ?? EMPTY_ROOT
}
