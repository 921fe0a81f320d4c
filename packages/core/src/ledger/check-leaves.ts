// The same check as check-chain.ts for many rows at once, for rows that are expected to be good: it says that all of them are, or that they
// have to be looked at one by one. The tree takes their hashes together.
import type { BodyHead } from './body-head.ts'
import { type Entry, encodeKeptLeaf, hashBody } from './entry.ts'
import { hashLeaf } from './hash.ts'

/** A row as it is kept: what follows from the rest (`prev` from the row before it, `bodyHash` from salt and body) may be empty. */
export interface KeptEntry extends Entry {
  /** Of the body, where it is known. */
  readonly head?: BodyHead
}

export interface GoodLeaves {
  /** Hash after hash. */
  readonly leaves: Buffer
  readonly firstPrev: string
  readonly lastHash: string
}

/** From row `first` on. `before`: the hash of the row in front of them. */
export function checkLeaves(rows: readonly KeptEntry[], first: number, before: string): GoodLeaves | undefined {
  let hashes = ''
  let prev = before
  let seq = first
  for (const row of rows) {
    const bodyHash = hashBody(row.body, row.salt)
    if (row.seq !== seq || (row.prev !== '' && row.prev !== prev) || (row.bodyHash !== '' && row.bodyHash !== bodyHash)) return undefined
    if (hashLeaf(encodeKeptLeaf(row, { seq, prev, bodyHash })) !== row.hash) return undefined
    prev = row.hash
    hashes += prev
    seq++
  }
  return { leaves: Buffer.from(hashes, 'hex'), firstPrev: before, lastHash: prev }
}

/** The entry that a row stands for. `before`: the hash of the row in front of it. */
export function completeEntry(row: KeptEntry, before: string): Entry {
  if (row.prev !== '' && row.bodyHash !== '') return row
  const { seq, id, time, actor, session, kind, policy, body, hash, salt } = row
  const [prev, bodyHash] = [row.prev === '' ? before : row.prev, row.bodyHash === '' ? hashBody(body, salt) : row.bodyHash]
  return { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt }
}
