// Checks the rows of one range of a store, with their blobs, tiles and checkpoints. Ranges are checked apart, on as many cores as there are;
// what links them (prev, tree, trust) is checked where they come together. Everything here can be sent between threads.
import { checkLeaves, type Entry, type Fault, findBlobReferences, hashBlob, type NoteKey, TILE_WIDTH, type Tile } from '@belay/core/ledger'
import type { Store } from '../../store/store.ts'
import { type BlobRow, prepareBlobRead } from '../../store/table/blob.ts'
import { type CheckpointRow, readCheckpoints } from '../../store/table/checkpoint.ts'
import { prepareDroppedRead } from '../../store/table/leaf.ts'
import { type FormatSpan, prepareKeptRead, prepareLedgerRead } from '../../store/table/ledger.ts'
import { SELF_KINDS } from '../ledger-kind.ts'
import { createWalk, type Walk, type WalkReport } from './walk.ts'

/** A multiple of the tile width, so that ranges join into one tree. */
export const RANGE_ROWS = 4096
const PAGE_ROWS = 256
/** Stands in the body of every entry that has a blob. */
const BLOB_MARK = '"$blob":"'

export interface RangeRequest {
  readonly first: number
  readonly last: number
  /** The last checkpoint to look at; later ones were made meanwhile. */
  readonly lastCheckpoint: { readonly n: number; readonly size: number }
}

export interface RangeReport extends WalkReport {
  readonly first: number
  readonly blobs: BlobCount
  readonly fault?: Fault
}

export interface BlobCount {
  readonly kept: number
  readonly pruned: number
}

export type VerifyRange = (request: RangeRequest) => Promise<RangeReport>

/** Made once for a store: whatever is prepared for one range serves all of them. */
export function createRangeCheck(store: Store, keys: readonly NoteKey[]): VerifyRange {
  const read = prepareLedgerRead(store)
  const readKept = prepareKeptRead(store)
  const readBlobs = prepareBlobRead(store)
  const readDropped = prepareDroppedRead(store)

  /** Undefined: not all of these rows are good and ordinary. Else those with blobs. */
  const addPage = async (walk: Walk, first: number, last: number): Promise<readonly Entry[] | undefined> => {
    const { rows, before } = await readKept(first, last - first + 1)
    if (rows.length !== last - first + 1 || rows.some(({ kind }) => SELF_KINDS.includes(kind))) return undefined
    const good = checkLeaves(rows, first, walk.lastHash ?? before)
    if (!good) return undefined
    walk.addGood(good, first, spanFormats(rows))
    return rows.filter(({ body }) => body.includes(BLOB_MARK))
  }

  return async request => {
    const walk = createWalk(await readMarks(store, request), keys)
    const blobs = { kept: 0, pruned: 0 }
    let fault: Fault | undefined
    const sealed = Math.min(request.lastCheckpoint.size, request.last)
    for (let at = request.first, last = 0; at <= request.last && !fault; at = last + 1) {
      last = Math.min(at + PAGE_ROWS - 1, at <= sealed ? sealed : request.last)
      // The hash of a row covers body and body hash alike: under a signed root they are what the writer wrote.
      let sound = last <= sealed ? await addPage(walk, at, last) : undefined
      let bad: Fault | undefined
      if (!sound) {
        const entries = (await read(at, last - at + 1)).filter(entry => entry.seq <= last)
        bad = walk.add(entries, at, last, await readDropped(at, last))
        // Only rows that are what was written can be asked which blobs they have.
        sound = bad ? entries.filter(entry => entry.seq < (bad as Fault).seq) : entries
      }
      const found = checkBlobs(await readBlobs(at, last), sound)
      blobs.kept += found.kept
      blobs.pruned += found.pruned
      fault = earlier(bad, found.fault)
    }
    fault ??= await checkTiles(store, request.first, walk.tiles)
    return { ...walk.report(), first: request.first, blobs, ...(fault && { fault }) }
  }
}

function spanFormats(rows: readonly Entry[]): FormatSpan {
  const lastPlain = rows.findLast(({ salt }) => salt === null)?.seq ?? 0
  return { lastPlain, firstSalted: rows.find(({ salt }) => salt !== null)?.seq ?? 0 }
}

export function earlier(a: Fault | undefined, b: Fault | undefined): Fault | undefined {
  return a && b ? (b.seq < a.seq ? b : a) : (a ?? b)
}

/** Checkpoints of the range by their size. Several may have the same. */
async function readMarks(
  store: Store,
  { first, last, lastCheckpoint }: RangeRequest,
): Promise<ReadonlyMap<number, readonly CheckpointRow[]>> {
  const marks = new Map<number, CheckpointRow[]>()
  for (const row of await readCheckpoints(store, first, last, lastCheckpoint.n)) marks.set(row.size, [...(marks.get(row.size) ?? []), row])
  return marks
}

type BlobCheck = BlobCount & { readonly fault?: Fault }

function checkBlobs(rows: readonly BlobRow[], entries: readonly Entry[]): BlobCheck {
  const unclaimed = new Map(rows.map(row => [row.hash, row]))
  let kept = 0
  let pruned = 0
  let fault: Fault | undefined
  for (const { seq, body } of entries) {
    for (const { hash, bytes } of findBlobReferences(body)) {
      const blob = unclaimed.get(hash)
      unclaimed.delete(hash)
      if (!blob || blob.seq !== seq) fault ??= { seq, kind: 'blob', what: `its blob ${hash} is missing` }
      else if (!blob.salt && !blob.content) pruned++
      else if (isSound(blob, bytes)) kept++
      else fault ??= { seq, kind: 'blob', what: `its blob ${hash} was changed` }
    }
  }
  const [stray] = [...unclaimed.values()].sort((a, b) => a.seq - b.seq)
  fault = earlier(fault, stray && { seq: stray.seq, kind: 'blob', what: `blob ${stray.hash} belongs to no entry` })
  return { kept, pruned, ...(fault && { fault }) }
}

function isSound(blob: BlobRow, bytes: number): boolean {
  return blob.salt !== null && blob.content?.length === bytes && hashBlob(blob.salt, blob.content) === blob.hash
}

async function checkTiles(store: Store, first: number, tiles: readonly Tile[]): Promise<Fault | undefined> {
  const start = (first - 1) / TILE_WIDTH
  const level = tiles.filter(tile => tile.level === 0)
  const query = store.db.selectFrom('tiles').select(['idx', 'root']).where('level', '=', 0).where('idx', '>=', start)
  const stored = await query.where('idx', '<', start + level.length).execute()
  const roots = new Map(stored.map(row => [row.idx, Buffer.from(row.root)]))
  for (const { index, root } of level) {
    const kept = roots.get(start + index)
    if (!kept?.equals(root)) {
      return {
        seq: first + index * TILE_WIDTH,
        kind: 'tree',
        what: `the tree's tile over it is ${kept ? 'not what its rows give' : 'missing'}`,
      }
    }
  }
  return undefined
}
