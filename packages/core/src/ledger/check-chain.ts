// Walks rows in order and says which is the first that cannot be what was written. Shared by every form a ledger is checked in:
// database, copy, export. Holds one row and a frontier, whatever the length.
import { type Entry, hashBody, recomputeHash } from './entry.ts'
import { EMPTY_TREE, growTree, type Tile, type Tree } from './tree.ts'

/**
 * What is not as it was written. `gap`: rows are missing; `chain`: a row does not follow the one before it; `row_hash`, `body_hash`: it was
 * edited; `root`: rows under a checkpoint were replaced; `signature`: nobody trusted signed it; `checkpoint`: it is not what it must be;
 * `writer`: another program wrote it; `schema`: another program changed tables or triggers; `replaced`: it is not the database it was.
 */
export type FaultKind =
  | 'gap'
  | 'chain'
  | 'row_hash'
  | 'body_hash'
  | 'root'
  | 'signature'
  | 'checkpoint'
  | 'tree'
  | 'blob'
  | 'key'
  | 'file'
  | 'writer'
  | 'schema'
  | 'replaced'

export interface Fault {
  /** The row that is bad, or the first that the fault concerns. */
  readonly seq: number
  readonly kind: FaultKind
  readonly what: string
}

export interface ChainState {
  /** Of the rows seen. */
  readonly tree: Tree
  readonly lastHash: string
}

export type ChainStep =
  | { readonly kind: 'ok'; readonly state: ChainState /** Those that this row completed. */; readonly tiles: readonly Tile[] }
  | { readonly kind: 'bad'; readonly fault: Fault }

/** A walk whose first row must name `prev`. */
export function startChain(prev: string): ChainState {
  return { tree: EMPTY_TREE, lastHash: prev }
}

/** A row of which only its hash is left. What it followed is not known any more; the root over it is. */
export function skipEntry(state: ChainState, hash: string): Extract<ChainStep, { kind: 'ok' }> {
  const { tree, tiles } = growTree(state.tree, Buffer.from(hash, 'hex'))
  return { kind: 'ok', state: { tree, lastHash: hash }, tiles }
}

/** Whether `entry` follows, as row `seq`. */
export function checkEntry(state: ChainState, entry: Entry, seq: number): ChainStep {
  if (entry.seq !== seq) {
    if (entry.seq < seq) return bad(entry.seq, 'chain', `row ${entry.seq} stands where row ${seq} belongs`)
    return bad(seq, 'gap', entry.seq === seq + 1 ? `row ${seq} is missing` : `rows ${seq} to ${entry.seq - 1} are missing`)
  }
  if (entry.prev !== state.lastHash) return bad(seq, 'chain', 'its prev is not the hash of the row before it')
  if (hashBody(entry.body, entry.salt) !== entry.bodyHash) return bad(seq, 'body_hash', 'its body does not give its body hash')
  if (recomputeHash(entry) !== entry.hash) return bad(seq, 'row_hash', 'its columns do not give its hash')
  const { tree, tiles } = growTree(state.tree, Buffer.from(entry.hash, 'hex'))
  return { kind: 'ok', state: { tree, lastHash: entry.hash }, tiles }
}

function bad(seq: number, kind: FaultKind, what: string): ChainStep {
  return { kind: 'bad', fault: { seq, kind, what } }
}
