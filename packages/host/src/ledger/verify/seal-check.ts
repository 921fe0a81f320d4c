// Checkpoints against the rows they claim to cover. Walks in order of size and holds only the tree's frontier.
// Trust: the keys given from outside, else the ledger's first key; a key introduced by a rotation is trusted once a checkpoint that covers
// the rotation is signed by a key that already was.
import {
  EMPTY_FRONTIER,
  type Fault,
  type FaultKind,
  type Frontier,
  frontierRoot,
  joinTree,
  type NoteKey,
  parseCheckpoint,
  parseNote,
  parseNoteKey,
  type Tree,
} from '@belay/core/ledger'

/** A checkpoint as found, with what the rows of its range say. */
export interface FoundSeal {
  /** Number in the store; absent for one that came from elsewhere. */
  readonly n?: number
  /** What the row beside the note claims; absent where there is only a note. */
  readonly size?: number
  readonly note: string
  /** Ids of the known keys that signed it. */
  readonly signers: readonly string[]
  /** Of the rows from the start of the range up to the checkpoint. */
  readonly tree: Tree
}

export interface Rotation {
  readonly seq: number
  readonly key: string
}

export interface SealState {
  /** All rows before the current range. */
  readonly before: Frontier
  /** Ids of keys. Null: none is known, signatures are not looked at. */
  readonly trusted: ReadonlySet<string> | null
  readonly rotations: readonly Rotation[]
  readonly count: number
  readonly sealed: number
  /** Of the last good checkpoint. */
  readonly origin?: string
}

export function startSeals(trusted: readonly NoteKey[] | null): SealState {
  return {
    before: EMPTY_FRONTIER,
    trusted: trusted && new Set(trusted.map(key => key.id)),
    rotations: [],
    count: 0,
    sealed: 0,
  }
}

export type SealStep = { readonly kind: 'ok'; readonly state: SealState } | { readonly kind: 'bad'; readonly fault: Fault }

export function checkSeal(state: SealState, seal: FoundSeal, origin: string): SealStep {
  const suspect = state.sealed + 1
  const bad = (kind: FaultKind, what: string): SealStep => ({ kind: 'bad', fault: { seq: suspect, kind, what } })
  const name = seal.n === undefined ? 'the exported checkpoint' : `checkpoint ${seal.n}`
  if (seal.n !== undefined && seal.n !== state.count + 1) return bad('checkpoint', `checkpoint ${state.count + 1} is missing`)
  const checkpoint = parseCheckpoint(parseNote(seal.note)?.text ?? '')
  if (!checkpoint) return bad('checkpoint', `${name} is no checkpoint`)
  if (seal.size !== undefined && checkpoint.size !== seal.size)
    return bad('checkpoint', `${name} is filed under size ${seal.size} but covers ${checkpoint.size}`)
  if (checkpoint.origin !== origin) return bad('checkpoint', `${name} is of another ledger, ${checkpoint.origin}`)
  const root = frontierRoot(joinTree(state.before, seal.tree))
  if (!root.equals(checkpoint.root))
    return bad('root', `${name} covers ${checkpoint.size} rows with another root: a row up to there was replaced`)
  const { trusted } = state
  if (trusted && !seal.signers.some(id => trusted.has(id)))
    return bad('signature', `${name} is not signed as it must be, by a trusted key and only by known ones`)
  const introduced = state.rotations.filter(rotation => rotation.seq <= checkpoint.size).map(rotation => parseNoteKey(rotation.key)?.id)
  return {
    kind: 'ok',
    state: {
      ...state,
      trusted: trusted && new Set([...trusted, ...introduced.filter(id => id !== undefined)]),
      count: seal.n ?? state.count,
      sealed: checkpoint.size,
      origin,
    },
  }
}
