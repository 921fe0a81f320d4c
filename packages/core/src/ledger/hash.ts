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

/** From bytes, the prefix in front; as a string of one character a byte. */
export function hashLeafBytes(prefixed: Uint8Array): string {
  return hash('sha256', prefixed, 'binary')
}

const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX)

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + HASH_BYTES)
  // A string, because to have a Buffer made takes twice as long as hashing.
  return Buffer.from(hash('sha256', nodeInput, 'binary'), 'latin1')
}

/** The root over `leaves`, hash after hash, as many as a power of two. */
export function hashPerfect(leaves: Uint8Array): Buffer {
  const row = Buffer.from(leaves)
  for (let width = row.length / HASH_BYTES / 2; width >= 1; width /= 2) {
    for (let at = 0; at < width; at++) {
      row.copy(nodeInput, 1, at * 2 * HASH_BYTES, (at + 1) * 2 * HASH_BYTES)
      row.write(hash('sha256', nodeInput, 'binary'), at * HASH_BYTES, HASH_BYTES, 'latin1')
    }
  }
  return row.subarray(0, HASH_BYTES)
}
