// The two hashes of RFC 6962 over SHA-256. The prefixes keep a leaf from ever being read as a node.
import { hash } from 'node:crypto'

const LEAF_PREFIX = '\u0000'
const NODE_PREFIX = 0x01

/** The root of an empty tree: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer')

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

export function hashLeaf(leaf: string): string {
  return hash('sha256', LEAF_PREFIX + leaf, 'hex')
}

const nodeInput = Buffer.alloc(65, NODE_PREFIX)

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1)
  nodeInput.set(right, 33)
  return hash('sha256', nodeInput, 'buffer')
}
