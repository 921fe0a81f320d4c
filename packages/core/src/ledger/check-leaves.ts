// The same check as check-chain.ts for many rows at once, from bytes, for rows that are expected to be good: it says that all of them are,
// or that they have to be looked at one by one. Takes a quarter of the time and makes hardly any garbage.
import { HASH_BYTES, hashLeafBytes, sha256Hex } from './hash.ts'

export interface LeafRows {
  /** Leaves one after the other, before each a byte that no leaf holds. */
  readonly bytes: Buffer
  /** What each row says that its leaf hashes to, in hex, one after the other. */
  readonly hashes: Buffer
  /** What each row says that it follows. */
  readonly prevs: Buffer
  readonly count: number
  /** Of the rows of the second format, whose leaf holds only a hash of it: salt and body, a mark before each. */
  readonly bodies: Buffer
  /** What those rows say that salt and body hash to. */
  readonly bodyHashes: Buffer
}

export interface GoodLeaves {
  /** Hash after hash. */
  readonly leaves: Buffer
  readonly firstPrev: string
  readonly lastHash: string
}

export const LEAF_MARK = 0x1e
const HEX = 2 * HASH_BYTES

/** `prev`: what the first row must follow, if that is known. Uses the bytes up. */
export function checkLeaves(rows: LeafRows, prev?: string): GoodLeaves | undefined {
  const { bytes, hashes, prevs, count } = rows
  if (hashes.length !== count * HEX || prevs.length !== count * HEX) return undefined
  const firstPrev = prevs.toString('latin1', 0, HEX)
  if (prev !== undefined && prev !== firstPrev) return undefined
  if (!prevs.subarray(HEX).equals(hashes.subarray(0, -HEX))) return undefined
  if (!areBodiesGood(rows)) return undefined
  const leaves = hashLeaves(bytes, count)
  const hex = hashes.toString('latin1')
  return leaves?.toString('hex') === hex ? { leaves, firstPrev, lastHash: hex.slice(-HEX) } : undefined
}

function areBodiesGood({ bodies, bodyHashes }: LeafRows): boolean {
  const count = bodyHashes.length / HEX
  if (!Number.isInteger(count)) return false
  let hashes = ''
  let at = 0
  for (let row = 0; row < count; row++) {
    const end = row === count - 1 ? bodies.length : bodies.indexOf(LEAF_MARK, at + 1)
    if (end === -1 || bodies[at] !== LEAF_MARK) return false
    hashes += sha256Hex(bodies.subarray(at + 1, end))
    at = end
  }
  return at === bodies.length && hashes === bodyHashes.toString('latin1')
}

function hashLeaves(bytes: Buffer, count: number): Buffer | undefined {
  // One long text: writing each hash to its place takes longer.
  let leaves = ''
  let at = 0
  for (let row = 0; row < count; row++) {
    const end = row === count - 1 ? bytes.length : bytes.indexOf(LEAF_MARK, at + 1)
    if (end === -1) return undefined
    // The byte in front of a leaf becomes the prefix under which leaves are hashed.
    bytes[at] = 0
    leaves += hashLeafBytes(new Uint8Array(bytes.buffer, bytes.byteOffset + at, end - at))
    at = end
  }
  return Buffer.from(leaves, 'latin1')
}
