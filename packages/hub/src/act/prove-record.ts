// The hub's own record as machines watch it: its last checkpoint, and the proof that it is a later state of one that was seen.
import { findSigners, isConsistent, type NoteSigner, parseCheckpoint, parseNote, proveConsistency } from '@belay/core/ledger'
import type { Chain } from '../chain/extend-chain.ts'
import { createTreeReader } from '../chain/tree-reader.ts'
import type { Database } from '../database/open-database.ts'
import { findOwnChain } from './record-act.ts'

export interface RecordProof {
  readonly checkpoint: string
  /** Hex, from a tree of the size that was asked for; empty: there is none. */
  readonly proof: readonly string[]
}

export async function proveRecord(db: Database, signer: NoteSigner, size: number): Promise<RecordProof> {
  const { id, seq, checkpoint } = await findOwnChain(db, signer.name)
  const proof = size > seq ? [] : await proveConsistency(createTreeReader(db, id), size, seq)
  return { checkpoint: checkpoint ?? '', proof: proof.map(hash => hash.toString('hex')) }
}

/** Text: this hub has signed a checkpoint of its record, and what it holds now is no later state of it. */
export async function findRecordBreak(db: Database, signer: NoteSigner, chain: Chain, seen: string): Promise<string | undefined> {
  const [earlier, later] = [readCheckpoint(seen, signer), readCheckpoint(chain.checkpoint ?? '', signer)]
  // Only what this hub signed counts: no machine can make that up.
  if (!earlier) return undefined
  if (!later || earlier.size > later.size)
    return `its record ends at ${later?.size ?? 0}, and had ${earlier.size} acts: an older copy was put back, or its end was cut off`
  const proof = await proveConsistency(createTreeReader(db, chain.id), earlier.size, later.size)
  return isConsistent(earlier, later, proof) ? undefined : `one of the first ${earlier.size} acts of its record is another one`
}

function readCheckpoint(text: string, signer: NoteSigner) {
  const note = parseNote(text)
  if (!note || findSigners(note, [signer]).length === 0) return undefined
  const checkpoint = parseCheckpoint(note.text)
  return checkpoint?.origin === signer.name ? checkpoint : undefined
}
