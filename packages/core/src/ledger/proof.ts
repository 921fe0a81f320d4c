// Proofs of RFC 6962: that a leaf is in a tree, and that a tree only grew. A proof is a list of subtree roots, lowest first.
// Checking trusts nothing but the hashes given to it; the recursion mirrors the definitions of PATH and SUBPROOF.
import { hashNode } from './hash.ts'
import { readRangeRoot, type TreeReader } from './tree.ts'

type Range = readonly [from: number, to: number]

export async function proveInclusion(reader: TreeReader, index: number, size: number): Promise<readonly Buffer[]> {
  if (index < 0 || index >= size) throw new RangeError(`leaf ${index} is not in a tree of ${size}`)
  return readRoots(reader, inclusionRanges(index, 0, size))
}

export async function proveConsistency(reader: TreeReader, oldSize: number, size: number): Promise<readonly Buffer[]> {
  if (oldSize < 0 || oldSize > size) throw new RangeError(`a tree of ${oldSize} is not an earlier state of a tree of ${size}`)
  return oldSize === 0 ? [] : readRoots(reader, consistencyRanges(oldSize, [0, size], true))
}

/** The root that the proof leads to, or undefined if it has the wrong length for that leaf and size. */
export function rootOfInclusion(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | undefined {
  if (index < 0 || index >= size) return undefined
  if (size === 1) return proof.length === 0 ? leaf : undefined
  const sibling = proof.at(-1)
  if (sibling === undefined) return undefined
  const split = splitPoint(size)
  const inLeft = index < split
  const below = rootOfInclusion(leaf, inLeft ? index : index - split, inLeft ? split : size - split, proof.slice(0, -1))
  if (below === undefined) return undefined
  return inLeft ? hashNode(below, sibling) : hashNode(sibling, below)
}

export interface TreeHead {
  readonly size: number
  readonly root: Buffer
}

export function isConsistent(earlier: TreeHead, later: TreeHead, proof: readonly Buffer[]): boolean {
  if (earlier.size === 0) return proof.length === 0
  if (earlier.size > later.size) return false
  const rest = [...proof]
  const roots = rootsOfConsistency(earlier, later.size, rest, true)
  return roots !== undefined && rest.length === 0 && roots.old.equals(earlier.root) && roots.new.equals(later.root)
}

function inclusionRanges(index: number, from: number, to: number): Range[] {
  if (to - from === 1) return []
  const middle = from + splitPoint(to - from)
  return index < middle ? [...inclusionRanges(index, from, middle), [middle, to]] : [...inclusionRanges(index, middle, to), [from, middle]]
}

/** `isWhole`: the earlier tree is this whole subtree's start, so its root is known to the checker and left out. */
function consistencyRanges(oldSize: number, [from, to]: Range, isWhole: boolean): Range[] {
  if (oldSize === to - from) return isWhole ? [] : [[from, to]]
  const split = splitPoint(to - from)
  const middle = from + split
  if (oldSize <= split) return [...consistencyRanges(oldSize, [from, middle], isWhole), [middle, to]]
  return [...consistencyRanges(oldSize - split, [middle, to], false), [from, middle]]
}

function rootsOfConsistency(earlier: TreeHead, size: number, rest: Buffer[], isWhole: boolean): { old: Buffer; new: Buffer } | undefined {
  if (earlier.size === size) {
    const root = isWhole ? earlier.root : rest.pop()
    return root && { old: root, new: root }
  }
  const split = splitPoint(size)
  const sibling = rest.pop()
  if (sibling === undefined) return undefined
  if (earlier.size <= split) {
    const left = rootsOfConsistency(earlier, split, rest, isWhole)
    return left && { old: left.old, new: hashNode(left.new, sibling) }
  }
  const right = rootsOfConsistency({ size: earlier.size - split, root: earlier.root }, size - split, rest, false)
  return right && { old: hashNode(sibling, right.old), new: hashNode(sibling, right.new) }
}

async function readRoots(reader: TreeReader, ranges: readonly Range[]): Promise<readonly Buffer[]> {
  const roots: Buffer[] = []
  for (const [from, to] of ranges) roots.push(await readRangeRoot(reader, from, to))
  return roots
}

/** The largest power of two below `size`. */
function splitPoint(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}
