// The two hashes of RFC 6962 over SHA-256. The prefixes keep a leaf from ever being read as a node.
import { hash } from 'node:crypto'

const LEAF_PREFIX = '\u0000'
const NODE_PREFIX = 0x01
export const HASH_BYTES = 32

/** The root of an empty tree: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer')

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

export function hashLeaf(leaf: string): string {
  return hash('sha256', LEAF_PREFIX + leaf, 'hex')
}

const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX)

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + HASH_BYTES)
  // A string, because to have a Buffer made takes twice as long as hashing.
  return Buffer.from(hash('sha256', nodeInput, 'binary'), 'latin1')
}

/** The most that `hashPerfect` takes. */
export const MAX_LEAVES = 256
const row = Buffer.alloc(MAX_LEAVES * HASH_BYTES)
/** Made once: a view for each node takes a third of hashing it. */
const pairs = Array.from({ length: MAX_LEAVES / 2 }, (_, at) => row.subarray(at * 2 * HASH_BYTES, (at + 1) * 2 * HASH_BYTES))

/** The root over `leaves`, hash after hash, as many as a power of two. */
export function hashPerfect(leaves: Uint8Array): Buffer {
  let level: Buffer = Buffer.from(leaves)
  while (level.length > HASH_BYTES) level = hashLevel(level)
  return level
}

function hashLevel(below: Uint8Array): Buffer {
  row.set(below)
  // One text for all of them: writing each hash to its place takes longer.
  let hashes = ''
  for (let at = 0; at < below.length / (2 * HASH_BYTES); at++) {
    nodeInput.set(pairs[at] as Buffer, 1)
    hashes += hash('sha256', nodeInput, 'binary')
  }
  return Buffer.from(hashes, 'latin1')
}
