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
  skipEntry,
  startChain,
  type Tile,
  type Tree,
} from '@belay/core/ledger'
import type { FormatSpan } from '../../store/table/ledger.ts'
import { CLOCK_STEP, GAP, KEY_ROTATED, LEDGER_FORMAT, LEDGER_TRIMMED } from '../ledger-kind.ts'
import { addFormat, NO_FORMATS } from './format-check.ts'
import type { FoundSeal, Rotation } from './seal-check.ts'

/** A checkpoint to be met at its size. */
export type Mark = Pick<FoundSeal, 'n' | 'size' | 'note'>

/** By the ledger's own account, in row `seq`: what went before which seq. It counts only where a checkpoint covers that row. */
export interface TrimLimits {
  readonly blobsBefore: number
  readonly entriesBefore: number
  /** How many went. One that was interrupted took fewer, and the next one counts the rest again. */
  readonly blobs: number
  readonly entries: number
}

export interface Trim extends TrimLimits {
  readonly seq: number
}

/** What trims say that a checkpoint covers. */
export function sumTrims(trims: readonly Trim[], sealed: number): TrimLimits {
  const nothing: TrimLimits = { blobsBefore: 0, entriesBefore: 0, blobs: 0, entries: 0 }
  return trims
    .filter(trim => trim.seq <= sealed)
    .reduce(
      (sum, trim) => ({
        blobsBefore: Math.max(sum.blobsBefore, trim.blobsBefore),
        entriesBefore: Math.max(sum.entriesBefore, trim.entriesBefore),
        blobs: sum.blobs + trim.blobs,
        entries: sum.entries + trim.entries,
      }),
      nothing,
    )
}

/** What is gone although no trim took it; `seq`: of the last one. */
export function findUntrimmed(gone: Gone, trimmed: TrimLimits): Fault | undefined {
  const { entries, blobs } = gone
  if (entries.last > 0 && entries.last >= trimmed.entriesBefore)
    return { seq: entries.last, kind: 'gap', what: 'it was dropped, but not by ledger gc' }
  if (entries.count > trimmed.entries)
    return { seq: entries.last, kind: 'gap', what: `${entries.count} entries are gone, and ledger gc dropped ${trimmed.entries}` }
  if (blobs.last > 0 && blobs.last >= trimmed.blobsBefore)
    return { seq: blobs.last, kind: 'blob', what: 'its blob was removed, but not by ledger gc' }
  return blobs.count > trimmed.blobs
    ? { seq: blobs.last, kind: 'blob', what: `${blobs.count} blobs are gone, and ledger gc removed ${trimmed.blobs}` }
    : undefined
}

export interface Gone {
  readonly entries: { readonly count: number; readonly last: number }
  readonly blobs: { readonly count: number; readonly last: number }
}

export interface WalkReport {
  readonly rows: number
  readonly firstPrev: string | undefined
  readonly lastHash: string
  readonly tree: Tree
  /** Those completed, counted from the first entry of the walk. */
  readonly tiles: readonly Tile[]
  readonly seals: readonly FoundSeal[]
  readonly rotations: readonly Rotation[]
  readonly trims: readonly Trim[]
  /** Entries of which only the hash is left. */
  readonly dropped: { readonly count: number; readonly last: number }
  readonly gaps: number
  readonly clockSteps: number
  readonly formats: FormatSpan
  /** Entries that say that the format changes with them. */
  readonly switches: readonly number[]
}

export interface Walk {
  readonly tiles: readonly Tile[]
  /** `dropped`: hashes of entries that are not there any more. */
  add(entries: readonly Entry[], first: number, last: number, dropped?: ReadonlyMap<number, string>): Fault | undefined
  /** What the next row must follow; undefined at the start. */
  readonly lastHash: string | undefined
  /** Rows that were found to be good, from `first` on. They say nothing about the ledger itself. */
  addGood(good: GoodLeaves, first: number, formats: FormatSpan): void
  report(): WalkReport
}

export function createWalk(marks: ReadonlyMap<number, readonly Mark[]>, keys: readonly NoteKey[]): Walk {
  const seals: FoundSeal[] = []
  const rotations: Rotation[] = []
  const tiles: Tile[] = []
  let firstPrev: string | undefined
  let isStarted = false
  let chain = startChain('')
  let gaps = 0
  let clockSteps = 0
  let formats = NO_FORMATS
  const switches: number[] = []
  const trims: Trim[] = []
  const gone = { count: 0, last: 0 }

  const addEntry = (entry: Entry, seq: number): Fault | undefined => {
    // What the first row of a range must follow is known where ranges come together.
    if (!isStarted) {
      isStarted = true
      firstPrev = entry.prev
      chain = startChain(entry.prev)
    }
    const step = checkEntry(chain, entry, seq)
    if (step.kind === 'bad') return step.fault
    chain = step.state
    tiles.push(...step.tiles)
    formats = addFormat(formats, entry.salt === null ? { lastPlain: seq, firstSalted: 0 } : { lastPlain: 0, firstSalted: seq })
    if (entry.kind === GAP) gaps++
    else if (entry.kind === CLOCK_STEP) clockSteps++
    else if (entry.kind === LEDGER_FORMAT) switches.push(seq)
    else if (entry.kind === KEY_ROTATED) rotations.push({ seq, key: readText(entry, 'to') })
    else if (entry.kind === LEDGER_TRIMMED)
      trims.push({
        seq,
        blobsBefore: readNumber(entry, 'beforeSeq'),
        entriesBefore: readNumber(entry, 'entriesBefore'),
        blobs: readNumber(entry, 'blobs'),
        entries: readNumber(entry, 'entries'),
      })
    meet(seq)
    return undefined
  }

  const addNext = (entry: Entry | undefined, seq: number): Fault | undefined =>
    entry ? addEntry(entry, seq) : { seq, kind: 'gap', what: `row ${seq} is missing` }

  const addDropped = (hash: string, seq: number): undefined => {
    const step = skipEntry(chain, hash)
    chain = step.state
    tiles.push(...step.tiles)
    gone.count++
    gone.last = seq
    isStarted = true
    meet(seq)
    return undefined
  }

  const meet = (seq: number): void => {
    for (const mark of marks.get(seq) ?? []) seals.push({ ...mark, signers: listSigners(mark, keys), tree: chain.tree })
  }

  const addGood = ({ leaves, firstPrev: prev, lastHash }: GoodLeaves, first: number, span: FormatSpan): void => {
    formats = addFormat(formats, span)
    if (!isStarted) firstPrev = prev
    isStarted = true
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
      return isStarted ? chain.lastHash : undefined
    },
    addGood,
    add: (entries, first, last, dropped) => {
      let at = 0
      for (let seq = first; seq <= last; seq++) {
        const entry = entries[at]
        const hash = entry?.seq === seq ? undefined : dropped?.get(seq)
        const fault = hash === undefined ? addNext(entry, seq) : addDropped(hash, seq)
        if (fault) return fault
        if (hash === undefined) at++
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
      trims,
      dropped: { ...gone },
      gaps,
      clockSteps,
      formats,
      switches,
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
