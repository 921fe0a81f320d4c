// A proof that an entry is in the ledger: the entry, the hashes that lead from it to a root, and the signed checkpoint with that root.
// Whoever has the public key needs nothing else, and none of our code: docs/verify-proof.mjs shows how.
import { type Entry, encodeLine, proveInclusion } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'
import { findLastCheckpoint } from '../store/table/checkpoint.ts'
import { listKeys } from '../store/table/key.ts'
import { createTreeReader } from '../store/table/tile.ts'
import { findBlobs, type LineBlobs } from './export-line.ts'

export interface EntryProof {
  readonly format: 'belay-proof-1'
  /** All columns; the body as JSON. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Its large values: the body names each by its hash. Null: trimmed. */
  readonly blobs: LineBlobs
  readonly index: number
  readonly size: number
  /** Hex, from the leaf up. */
  readonly path: readonly string[]
  /** The signed note. */
  readonly checkpoint: string
  /** As the ledger gives them; compare with what you were told elsewhere. */
  readonly keys: readonly string[]
}

/** Undefined: no checkpoint covers it yet. */
export async function proveEntry(store: Store, entry: Entry): Promise<EntryProof | undefined> {
  const checkpoint = await findLastCheckpoint(store)
  if (!checkpoint || checkpoint.size < entry.seq) return undefined
  const index = entry.seq - 1
  const path = await proveInclusion(createTreeReader(store), index, checkpoint.size)
  return {
    format: 'belay-proof-1',
    entry: JSON.parse(encodeLine(entry)),
    blobs: await findBlobs(store, entry),
    index,
    size: checkpoint.size,
    path: path.map(hash => hash.toString('hex')),
    checkpoint: checkpoint.note,
    keys: await listKeys(store),
  }
}
