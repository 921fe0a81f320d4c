// The ledger's Merkle tree, cut into tiles: perfect subtrees of height 8 whose roots are kept once they are full.
// Tile (0, i) covers leaves 256i to 256i+255, tile (k, i) covers 256 tiles of level k-1. So the state of a tree of any size
// is read back from fewer than 256 hashes a level, and a proof touches no more than that.
import { EMPTY_FRONTIER, type Frontier, frontierRoot, growFrontier, joinFrontiers } from './frontier.ts'
import { HASH_BYTES, hashPerfect, MAX_LEAVES } from './hash.ts'

export const TILE_HEIGHT = 8
export const TILE_WIDTH = MAX_LEAVES

export interface Tile {
  readonly level: number
  readonly index: number
  readonly root: Buffer
}

export interface Tree {
  readonly size: number
  /** What stands at each level since its last full tile: leaves at level 0, full tiles of level k-1 at level k. */
  readonly levels: readonly Frontier[]
}

export const EMPTY_TREE: Tree = Object.freeze({ size: 0, levels: Object.freeze([]) })

/** Where hashes are kept. Ranges are half open. */
export interface TreeReader {
  leaves(from: number, to: number): Promise<readonly Buffer[]>
  tiles(level: number, from: number, to: number): Promise<readonly Buffer[]>
}

export interface Growth {
  readonly tree: Tree
  /** Those that were completed, in the order in which they were. */
  readonly tiles: readonly Tile[]
}

/** Adds a leaf, or the root over 2^height of them within one tile. */
export function growTree(tree: Tree, leaf: Buffer, height = 0): Growth {
  const size = tree.size + 2 ** height
  const levels = [...tree.levels]
  const tiles: Tile[] = []
  let hash = leaf
  for (let level = 0; ; level++) {
    const grown = growFrontier(levels[level] ?? EMPTY_FRONTIER, hash, level === 0 ? height : 0)
    levels[level] = grown
    if (grown.size < TILE_WIDTH) return { tree: { size, levels }, tiles }
    hash = frontierRoot(grown)
    tiles.push({ level, index: size / TILE_WIDTH ** (level + 1) - 1, root: hash })
    levels[level] = EMPTY_FRONTIER
  }
}

/** Adds many leaves, hash after hash: as few and as large subtrees as they fall into. */
export function growTreeBy(before: Tree, leaves: Buffer): Growth {
  const tiles: Tile[] = []
  let tree = before
  for (let at = 0; at < leaves.length; ) {
    const height = widestHeight(tree.size, (leaves.length - at) / HASH_BYTES)
    const end = at + 2 ** height * HASH_BYTES
    const grown = growTree(tree, hashPerfect(leaves.subarray(at, end)), height)
    tree = grown.tree
    tiles.push(...grown.tiles)
    at = end
  }
  return { tree, tiles }
}

function widestHeight(size: number, count: number): number {
  let height = 0
  while (height < TILE_HEIGHT && size % 2 ** (height + 1) === 0 && 2 ** (height + 1) <= count) height++
  return height
}

export function treeRoot(tree: Tree): Buffer {
  return frontierRoot(joinTree(EMPTY_FRONTIER, tree))
}

/** Adds the leaves of `tree` to those of `left`, whose size must be a multiple of the largest tile in `tree`. */
export function joinTree(left: Frontier, tree: Tree): Frontier {
  let joined = left
  for (const [level, frontier] of [...tree.levels.entries()].reverse()) joined = joinFrontiers(joined, frontier, level * TILE_HEIGHT)
  return joined
}

/** The state of the first `size` leaves. */
export async function readTree(reader: TreeReader, size: number): Promise<Tree> {
  const levels: Frontier[] = []
  for (let level = 0; TILE_WIDTH ** level <= size; level++) {
    const to = Math.floor(size / TILE_WIDTH ** level)
    const from = to - (to % TILE_WIDTH)
    levels.push(gather(await readLevel(reader, level, from, to)))
  }
  return { size, levels }
}

/** MTH(D[from:to]) of RFC 6962; `from` must be a multiple of the largest power of two that fits into the range. */
export async function readRangeRoot(reader: TreeReader, from: number, to: number): Promise<Buffer> {
  let frontier = EMPTY_FRONTIER
  for (let at = from; at < to; ) {
    const level = widestLevel(at, to)
    const width = TILE_WIDTH ** level
    const nextWider = (Math.floor(at / (width * TILE_WIDTH)) + 1) * width * TILE_WIDTH
    const stop = Math.min(nextWider, to - ((to - at) % width))
    for (const hash of await readLevel(reader, level, at / width, stop / width)) {
      frontier = growFrontier(frontier, hash, level * TILE_HEIGHT)
    }
    at = stop
  }
  return frontierRoot(frontier)
}

function widestLevel(at: number, to: number): number {
  let level = 0
  while (at % TILE_WIDTH ** (level + 1) === 0 && at + TILE_WIDTH ** (level + 1) <= to) level++
  return level
}

async function readLevel(reader: TreeReader, level: number, from: number, to: number): Promise<readonly Buffer[]> {
  if (from === to) return []
  const hashes = level === 0 ? await reader.leaves(from, to) : await reader.tiles(level - 1, from, to)
  if (hashes.length !== to - from) {
    throw new Error(`the tree lacks hashes at level ${level}: wanted ${from} to ${to - 1}, found ${hashes.length} of ${to - from}`)
  }
  return hashes
}

function gather(hashes: readonly Buffer[]): Frontier {
  return hashes.reduce((frontier, hash) => growFrontier(frontier, hash), EMPTY_FRONTIER)
}
