import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_FRONTIER, frontierRoot, growFrontier, joinFrontiers } from './frontier.ts'
import { hashLeaf } from './hash.ts'
import { isConsistent, proveConsistency, proveInclusion, rootOfInclusion } from './proof.ts'
import { EMPTY_TREE, growTree, growTreeBy, readRangeRoot, readTree, type Tile, type Tree, type TreeReader, treeRoot } from './tree.ts'

// The reference: RFC 6962 section 2.1, word for word, over all leaves.
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
function merkleTreeHash(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves
  if (first === undefined) return sha256()
  if (leaves.length === 1) return first
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha256(Buffer.of(1), merkleTreeHash(leaves.slice(0, k)), merkleTreeHash(leaves.slice(k)))
}

function leavesOf(size: number): Buffer[] {
  return Array.from({ length: size }, (_, i) => sha256(Buffer.of(0), Buffer.from(`leaf ${i}`)))
}

function build(leaves: readonly Buffer[]): { tree: Tree; reader: TreeReader; tiles: Tile[] } {
  let tree = EMPTY_TREE
  const tiles: Tile[] = []
  for (const leaf of leaves) {
    const grown = growTree(tree, leaf)
    tree = grown.tree
    tiles.push(...grown.tiles)
  }
  const reader: TreeReader = {
    leaves: async (from, to) => leaves.slice(from, to),
    tiles: async (level, from, to) =>
      tiles.filter(tile => tile.level === level && tile.index >= from && tile.index < to).map(tile => tile.root),
  }
  return { tree, reader, tiles }
}

const SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 255, 256, 257, 511, 512, 513, 1000, 70_000]

test('a leaf is hashed after a zero byte', () => {
  expect(hashLeaf('')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})

describe.each(SIZES)('a tree of %i leaves', size => {
  const leaves = leavesOf(size)
  const { tree, reader } = build(leaves)
  const root = merkleTreeHash(leaves)

  test('has the root of RFC 6962', () => {
    expect(treeRoot(tree)).toEqual(root)
  })

  test('is read back from its tiles', async () => {
    const read = await readTree(reader, size)
    expect(treeRoot(read)).toEqual(root)
    const next = sha256(Buffer.from('next'))
    expect(growTree(read, next).tiles).toEqual(growTree(tree, next).tiles)
    expect(await readRangeRoot(reader, 0, size)).toEqual(root)
  })

  test('proves its leaves', async () => {
    for (const index of [0, 1, 254, 255, 256, size - 2, size - 1].filter(index => index >= 0 && index < size)) {
      const proof = await proveInclusion(reader, index, size)
      expect(rootOfInclusion(leaves[index] as Buffer, index, size, proof)).toEqual(root)
    }
  })
})

describe('proofs', () => {
  const leaves = leavesOf(600)
  const { reader } = build(leaves)
  const roots = leaves.map((_, i) => merkleTreeHash(leaves.slice(0, i + 1)))
  const rootAt = (size: number) => (size === 0 ? merkleTreeHash([]) : (roots[size - 1] as Buffer))
  const sizePair = fc
    .tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 600 }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

  test('a tree is consistent with every earlier one, and with no other', async () => {
    await fc.assert(
      fc.asyncProperty(sizePair, async ([early, late]) => {
        const proof = await proveConsistency(reader, early, late)
        const earlier = { size: early, root: rootAt(early) }
        const later = { size: late, root: rootAt(late) }
        expect(isConsistent(earlier, later, proof)).toBe(true)
        if (early === 0) return
        expect(isConsistent({ ...earlier, root: sha256(Buffer.from('x')) }, later, proof)).toBe(false)
        expect(isConsistent(earlier, { ...later, root: sha256(Buffer.from('x')) }, proof)).toBe(false)
        expect(isConsistent(earlier, later, [...proof, leaves[0] as Buffer])).toBe(false)
      }),
    )
  })

  test('a proof of another leaf, place, size or length does not lead to the root', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 600 }), fc.nat(), fc.nat(), async (size, a, b) => {
        const index = a % size
        const proof = await proveInclusion(reader, index, size)
        const root = rootAt(size)
        const leaf = leaves[index] as Buffer
        expect(rootOfInclusion(leaf, index, size, proof)).toEqual(root)
        expect(rootOfInclusion(leaves[(index + 1) % 600] as Buffer, index, size, proof)).not.toEqual(root)
        expect(rootOfInclusion(leaf, (index + 1) % size, size, proof)).not.toEqual(root)
        expect(rootOfInclusion(leaf, index, size, proof.slice(1))).not.toEqual(root)
        const broken = proof.map((hash, i) => (i === b % proof.length ? sha256(hash) : hash))
        expect(rootOfInclusion(leaf, index, size, broken)).not.toEqual(root)
      }),
    )
  })

  test('leaves outside the tree have no proof', async () => {
    await expect(proveInclusion(reader, 5, 5)).rejects.toThrow('leaf 5 is not in a tree of 5')
    await expect(proveConsistency(reader, 6, 5)).rejects.toThrow('not an earlier state')
  })

  test('a tree that lacks hashes says which', async () => {
    const lossy: TreeReader = { ...reader, tiles: async () => [] }
    await expect(readTree(lossy, 600)).rejects.toThrow('the tree lacks hashes at level 1: wanted 0 to 1, found 0 of 2')
  })
})

test('frontiers of aligned parts join into the frontier of the whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 64 }), (blocks, rest) => {
      const leaves = leavesOf(blocks * 64 + rest)
      const grow = (part: readonly Buffer[]) => part.reduce((frontier, leaf) => growFrontier(frontier, leaf), EMPTY_FRONTIER)
      let joined = EMPTY_FRONTIER
      for (let at = 0; at < leaves.length; at += 64) joined = joinFrontiers(joined, grow(leaves.slice(at, at + 64)))
      expect(joined).toEqual(grow(leaves))
      expect(frontierRoot(joined)).toEqual(merkleTreeHash(leaves))
    }),
  )
})

test('a subtree that does not fit is refused', () => {
  const one = growFrontier(EMPTY_FRONTIER, sha256())
  expect(() => growFrontier(one, sha256(), 1)).toThrow('a subtree of 2 leaves cannot stand at leaf 1')
})

test('many leaves at once give the tree and the tiles that they give one by one', () => {
  const leaves = leavesOf(1200)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 3 }), counts => {
      let tree = EMPTY_TREE
      const tiles: Tile[] = []
      for (const count of counts) {
        const grown = growTreeBy(tree, Buffer.concat(leaves.slice(tree.size, tree.size + count)))
        tree = grown.tree
        tiles.push(...grown.tiles)
      }
      const expected = build(leaves.slice(0, tree.size))
      expect({ root: treeRoot(tree), levels: tree.levels, tiles }).toEqual({
        root: treeRoot(expected.tree),
        levels: expected.tree.levels,
        tiles: expected.tiles,
      })
    }),
    { numRuns: 60 },
  )
})
