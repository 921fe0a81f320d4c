// Turns what was asked for within one turn of the event loop into the writes of one transaction. Decides seq, chain, tree, sealing.
// Invariant: changes nothing; only when its writes are on disk does the head it returns become true.
import {
  type Blob,
  chainEntry,
  type Entry,
  formatCheckpoint,
  growTreeBy,
  type NoteSigner,
  type PreparedEntry,
  type SplitBody,
  signNote,
  treeRoot,
  type WithHead,
} from '@belay/core/ledger'
import type { Store, Write } from '../store/store.ts'
import { prepareBlobInsert } from '../store/table/blob.ts'
import { type CheckpointRow, prepareCheckpointInsert } from '../store/table/checkpoint.ts'
import { prepareDeliveryFind, prepareDeliveryInsert } from '../store/table/delivery.ts'
import { prepareFormInsert } from '../store/table/form.ts'
import { prepareLedgerInsert, prepareLedgerRead } from '../store/table/ledger.ts'
import { prepareTileInsert } from '../store/table/tile.ts'
import type { FormBatch } from './form-book.ts'
import type { LedgerHead } from './ledger-head.ts'
import type { MakeMac } from './row-mac.ts'

export interface Request {
  /** Absent: only to seal. */
  readonly entry?: {
    readonly prepared: PreparedEntry & WithHead
    /** Of its body. */
    readonly split: SplitBody
    readonly blobs: readonly Blob[]
  }
  /** A second request with this id gets the entry of the first. */
  readonly eventId?: string
  readonly seal: boolean
  /** Sign the checkpoint as well, beside the key in use. */
  readonly cosigner?: NoteSigner
  readonly writes?: readonly Write[]
}

export interface Plan {
  readonly writes: readonly Write[]
  readonly head: LedgerHead
  /** One for each request; undefined for those without an entry. */
  readonly entries: readonly (Entry | undefined)[]
  readonly checkpoint?: CheckpointRow
}

export interface Sealing {
  readonly origin: string
  readonly signers: readonly NoteSigner[]
  readonly makeMac: MakeMac
  /** A checkpoint is due after this many entries. */
  readonly everyRecords: number
}

/** Entries by the event id under which they were delivered. */
export type Delivered = ReadonlyMap<string, Entry>

/** What a batch follows. */
export interface Before {
  readonly head: LedgerHead
  readonly forms: FormBatch
  /** What is known to have come before; the database refuses a second delivery that is not among it. */
  readonly delivered?: Delivered
}

export interface Planner {
  plan(requests: readonly Request[], before: Before, sealing: Sealing): Plan
  findDelivered(requests: readonly Request[]): Promise<Delivered>
}

export function createPlanner(store: Store): Planner {
  const insertForm = prepareFormInsert(store)
  const insertEntry = prepareLedgerInsert(store)
  const insertBlob = prepareBlobInsert(store)
  const insertTile = prepareTileInsert(store)
  const insertDelivery = prepareDeliveryInsert(store)
  const insertCheckpoint = prepareCheckpointInsert(store)
  const findDeliveries = prepareDeliveryFind(store)
  const readEntries = prepareLedgerRead(store)

  const findDelivered = async (requests: readonly Request[]): Promise<Delivered> => {
    const eventIds = requests.flatMap(({ eventId }) => eventId ?? [])
    const seqs = await findDeliveries(eventIds)
    const delivered = new Map<string, Entry>()
    for (const [at, eventId] of eventIds.entries()) {
      const seq = seqs[at]
      const [entry] = seq === undefined ? [] : await readEntries(seq, 1)
      if (entry) delivered.set(eventId, entry)
    }
    return delivered
  }

  const plan: Planner['plan'] = (requests, { head: before, forms, delivered: known }, sealing) => {
    // Entries first and together: others refer to them, and rows of one table are written several at a time.
    const entryWrites: Write[] = []
    const otherWrites: Write[] = []
    const delivered = new Map(known)
    const leaves: string[] = []

    const add = (request: Request): Entry | undefined => {
      if (request.writes) otherWrites.push(...request.writes)
      if (!request.entry) return undefined
      const entry = chainEntry(request.entry.prepared, before.tree.size + leaves.length + 1, leaves.at(-1) ?? before.hash)
      leaves.push(entry.hash)
      entryWrites.push(insertEntry(entry, forms.partsOf(entry.policy, request.entry.split), sealing.makeMac(entry.hash)))
      for (const blob of request.entry.blobs) otherWrites.push(insertBlob(blob, entry.seq))
      if (request.eventId !== undefined) {
        delivered.set(request.eventId, entry)
        otherWrites.push(insertDelivery(request.eventId, entry.seq))
      }
      return entry
    }

    const entries: (Entry | undefined)[] = []
    for (const request of requests) {
      const { eventId } = request
      const first = eventId === undefined ? undefined : delivered.get(eventId)
      entries.push(first ?? add(request))
    }
    const { tree, tiles } = growTreeBy(before.tree, Buffer.from(leaves.join(''), 'hex'))
    for (const tile of tiles) otherWrites.push(insertTile(tile))

    const hash = leaves.at(-1) ?? before.hash
    const isDue = tree.size - before.sealed.size >= sealing.everyRecords
    const isWanted = tree.size > before.sealed.size && requests.some(request => request.seal)
    const writes = [...forms.added.map(insertForm), ...entryWrites, ...otherWrites]
    if (!isDue && !isWanted) return { writes, entries, head: { hash, tree, sealed: before.sealed } }
    const cosigners = requests.map(request => request.cosigner).filter(signer => signer !== undefined)
    const text = formatCheckpoint({ origin: sealing.origin, size: tree.size, root: treeRoot(tree) })
    const checkpoint = { n: before.sealed.n + 1, size: tree.size, note: signNote(text, [...sealing.signers, ...cosigners]) }
    writes.push(insertCheckpoint(checkpoint))
    return { writes, entries, checkpoint, head: { hash, tree, sealed: { n: checkpoint.n, size: checkpoint.size } } }
  }
  return { plan, findDelivered }
}
