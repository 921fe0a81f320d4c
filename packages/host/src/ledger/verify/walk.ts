// Goes over entries in order, whatever they came from: the chain, the tree they grow, the checkpoints on the way,
// and what the ledger says about itself.
import {
  checkEntry,
  type Entry,
  type Fault,
  findSigners,
  type GoodLeaves,
  growTreeBy,
  HASH_BYTES,
  type NoteKey,
  parseNote,
  startChain,
  type Tile,
  type Tree,
} from '@belay/core/ledger'
import { CLOCK_STEP, GAP, KEY_ROTATED, LEDGER_TRIMMED } from '../ledger-kind.ts'
import type { FoundSeal, Rotation } from './seal-check.ts'

/** A checkpoint to be met at its size. */
export type Mark = Pick<FoundSeal, 'n' | 'size' | 'note'>

export interface WalkReport {
  readonly rows: number
  readonly firstPrev: string | undefined
  readonly lastHash: string
  readonly tree: Tree
  /** Those completed, counted from the first entry of the walk. */
  readonly tiles: readonly Tile[]
  readonly seals: readonly FoundSeal[]
  readonly rotations: readonly Rotation[]
  /** Blobs of entries before this seq were trimmed, by the ledger's own account. */
  readonly trimmedBefore: number
  readonly gaps: number
  readonly clockSteps: number
}

export interface Walk {
  readonly tiles: readonly Tile[]
  add(entries: readonly Entry[], first: number, last: number): Fault | undefined
  /** What the next row must follow; undefined at the start. */
  readonly lastHash: string | undefined
  /** Rows that were found to be good, from `first` on. They say nothing about the ledger itself. */
  addGood(good: GoodLeaves, first: number): void
  report(): WalkReport
}

export function createWalk(marks: ReadonlyMap<number, readonly Mark[]>, keys: readonly NoteKey[]): Walk {
  const seals: FoundSeal[] = []
  const rotations: Rotation[] = []
  const tiles: Tile[] = []
  let firstPrev: string | undefined
  let chain = startChain('')
  let gaps = 0
  let clockSteps = 0
  let trimmedBefore = 0

  const addEntry = (entry: Entry, seq: number): Fault | undefined => {
    // What the first row of a range must follow is known where ranges come together.
    if (firstPrev === undefined) {
      firstPrev = entry.prev
      chain = startChain(entry.prev)
    }
    const step = checkEntry(chain, entry, seq)
    if (step.kind === 'bad') return step.fault
    chain = step.state
    tiles.push(...step.tiles)
    if (entry.kind === GAP) gaps++
    else if (entry.kind === CLOCK_STEP) clockSteps++
    else if (entry.kind === KEY_ROTATED) rotations.push({ seq, key: readText(entry, 'to') })
    else if (entry.kind === LEDGER_TRIMMED) trimmedBefore = Math.max(trimmedBefore, readNumber(entry, 'beforeSeq'))
    meet(seq)
    return undefined
  }

  const meet = (seq: number): void => {
    for (const mark of marks.get(seq) ?? []) seals.push({ ...mark, signers: listSigners(mark, keys), tree: chain.tree })
  }

  const addGood = ({ leaves, firstPrev: prev, lastHash }: GoodLeaves, first: number): void => {
    firstPrev ??= prev
    const last = first + leaves.length / HASH_BYTES - 1
    const stops = [...marks.keys()].filter(seq => seq >= first && seq < last).sort((a, b) => a - b)
    let at = first
    for (const stop of [...stops, last]) {
      const grown = growTreeBy(chain.tree, leaves.subarray((at - first) * HASH_BYTES, (stop + 1 - first) * HASH_BYTES))
      tiles.push(...grown.tiles)
      chain = { tree: grown.tree, lastHash }
      meet(stop)
      at = stop + 1
    }
  }

  return {
    tiles,
    get lastHash() {
      return firstPrev === undefined ? undefined : chain.lastHash
    },
    addGood,
    add: (entries, first, last) => {
      for (let seq = first; seq <= last; seq++) {
        const entry = entries[seq - first]
        const fault: Fault | undefined = entry ? addEntry(entry, seq) : { seq, kind: 'gap', what: `row ${seq} is missing` }
        if (fault) return fault
      }
      return undefined
    },
    report: () => ({
      rows: chain.tree.size,
      firstPrev,
      lastHash: chain.lastHash,
      tree: chain.tree,
      tiles,
      seals,
      rotations,
      trimmedBefore,
      gaps,
      clockSteps,
    }),
  }
}

/** In the store every signature is ours, and one that is not good is an edit. Notes from elsewhere may carry those of others. */
function listSigners({ n, note }: Mark, keys: readonly NoteKey[]): readonly string[] {
  const parsed = parseNote(note)
  const signers = parsed ? findSigners(parsed, keys) : []
  return n !== undefined && signers.length !== parsed?.signatures.length ? [] : signers.map(key => key.id)
}

function readText(entry: Entry, field: string): string {
  const value: unknown = (JSON.parse(entry.body) as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : ''
}

function readNumber(entry: Entry, field: string): number {
  const value: unknown = (JSON.parse(entry.body) as Record<string, unknown>)[field]
  return typeof value === 'number' ? value : 0
}
