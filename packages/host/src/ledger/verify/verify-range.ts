// Checks the rows of one range of a store, with their blobs, tiles and checkpoints. Ranges are checked apart, on as many cores as there are;
// what links them (prev, tree, trust) is checked where they come together. Everything here can be sent between threads.
import { type Entry, type Fault, findBlobReferences, hashBlob, type NoteKey, TILE_WIDTH, type Tile } from '@belay/core/ledger'
import type { Store } from '../../store/store.ts'
import { type BlobRow, readBlobs } from '../../store/table/blob.ts'
import { type CheckpointRow, readCheckpoints } from '../../store/table/checkpoint.ts'
import { prepareLedgerRead } from '../../store/table/ledger.ts'
import { createWalk, type WalkReport } from './walk.ts'

/** A multiple of the tile width, so that ranges join into one tree. */
export const RANGE_ROWS = 4096
const PAGE_ROWS = 512

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

export async function verifyRange(store: Store, keys: readonly NoteKey[], request: RangeRequest): Promise<RangeReport> {
  const read = prepareLedgerRead(store)
  const walk = createWalk(await readMarks(store, request), keys, request.lastCheckpoint.size)
  const blobs = { kept: 0, pruned: 0 }
  let fault: Fault | undefined
  for (let at = request.first; at <= request.last && !fault; at += PAGE_ROWS) {
    const last = Math.min(at + PAGE_ROWS - 1, request.last)
    const entries = (await read(at, last - at + 1)).filter(entry => entry.seq <= last)
    const bad = walk.add(entries, at, last)
    // Only rows that are what was written can be asked which blobs they have.
    const sound = bad ? entries.filter(entry => entry.seq < bad.seq) : entries
    const found = await checkBlobs(store, sound, at, last)
    blobs.kept += found.kept
    blobs.pruned += found.pruned
    fault = earlier(bad, found.fault)
  }
  fault ??= await checkTiles(store, request.first, walk.tiles)
  return { ...walk.report(), first: request.first, blobs, ...(fault && { fault }) }
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

async function checkBlobs(store: Store, entries: readonly Entry[], first: number, last: number): Promise<BlobCheck> {
  const unclaimed = new Map((await readBlobs(store, first, last)).map(row => [row.hash, row]))
  let kept = 0
  let pruned = 0
  let fault: Fault | undefined
  for (const { seq, body } of entries) {
    for (const { hash, bytes } of findBlobReferences(body)) {
      const blob = unclaimed.get(hash)
      unclaimed.delete(hash)
      if (!blob || blob.seq !== seq) fault ??= { seq, what: `its blob ${hash} is missing` }
      else if (!blob.salt && !blob.content) pruned++
      else if (isSound(blob, bytes)) kept++
      else fault ??= { seq, what: `its blob ${hash} was changed` }
    }
  }
  const [stray] = [...unclaimed.values()].sort((a, b) => a.seq - b.seq)
  fault = earlier(fault, stray && { seq: stray.seq, what: `blob ${stray.hash} belongs to no entry` })
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
      return { seq: first + index * TILE_WIDTH, what: `the tree's tile over it is ${kept ? 'not what its rows give' : 'missing'}` }
    }
  }
  return undefined
}
