// Takes what a machine sends: checks every hash, adds it behind the chain exactly once, cosigns the machine's checkpoint, and names a ledger
// that is not the one it was.
import { cosign, type NoteSigner, type Tree } from '@belay/core/ledger'
import { checkUploadEntry, type UploadEntry } from '@belay/core/team'
import { type RawBuilder, sql } from 'kysely'
import { type Chain, extendChain, growBy } from '../chain/extend-chain.ts'
import { readStoredTree } from '../chain/stored-tree.ts'
import type { Database } from '../database/open-database.ts'
import { createPartitions, dayOf } from '../database/partition.ts'
import type { Machine } from '../machine/login-machine.ts'
import { updateContact } from '../machine/note-contact.ts'
import { checkCheckpoint, sizeOfCheckpoint } from './check-checkpoint.ts'
import { type Fork, findFork } from './find-fork.ts'
import { type CheckedRow, insertEntries } from './insert-entries.ts'
import type { UploadRequest } from './upload-request.ts'

export type Taken =
  | { readonly kind: 'taken'; readonly seq: number; readonly cosigned: string | null }
  /** Another place is next: the request came late, or twice. */
  | { readonly kind: 'elsewhere'; readonly seq: number }
  | { readonly kind: 'fork'; readonly seq: number; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }

export type TakeUpload = (machine: Machine, request: UploadRequest) => Promise<Taken>

export function createTakeUpload(db: Database, signer: NoteSigner): TakeUpload {
  const preparePartition = createPartitions(db)
  return async (machine, request) => {
    const chain = await findChain(db, machine.id)
    const fork = await findFork(db, chain, request)
    if (fork) {
      await noteStatus(db, machine, request, false)
      await noteFinding(db, chain, fork)
      return { kind: 'fork', seq: chain.seq, why: fork.what }
    }
    if (request.from !== chain.seq) {
      await noteStatus(db, machine, request, true)
      return { kind: 'elsewhere', seq: chain.seq }
    }
    const day = dayOf(Date.now())
    await preparePartition(day)
    const taken = await addBehind({ db, signer, chain, day, machine }, request)
    // What was added came with it, in one commit.
    if (taken.kind !== 'taken' || taken.seq === chain.seq) await noteStatus(db, machine, request, true)
    return taken
  }
}

/** The last one that the machine began. */
export async function findChain(db: Database, machine: string): Promise<Chain> {
  return db.selectFrom('chain').selectAll().where('machine', '=', machine).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
}

interface Place {
  readonly db: Database
  readonly signer: NoteSigner
  readonly chain: Chain
  readonly day: string
  readonly machine: Machine
}

async function addBehind({ db, signer, chain, day, machine }: Place, request: UploadRequest): Promise<Taken> {
  const checked = checkEntries(chain, request.entries)
  if (typeof checked === 'string') return { kind: 'refused', why: checked }
  const size = request.checkpoint === null ? undefined : sizeOfCheckpoint(request.checkpoint)
  const { tree, treeAt } = growBy(readStoredTree(chain.tree), checked.hashes, size ?? -1)
  const seal = sealOf(chain, signer, request, treeAt)
  if (typeof seal === 'string') {
    await noteFinding(db, chain, { kind: 'rewritten', what: `a checkpoint of its ledger cannot be cosigned: ${seal}` })
    return { kind: 'fork', seq: chain.seq, why: seal }
  }
  if (checked.hashes.length === 0 && seal === undefined) return { kind: 'taken', seq: chain.seq, cosigned: cosignedOf(chain) }
  const more = [insertEntries(day, checked.rows), updateStatus(machine, request, true, sql`EXISTS (SELECT FROM moved)`)]
  const hashOnly = checked.hashes.length - checked.rows.length
  const extension = { hashes: checked.hashes, hashOnly, tree, ...(seal && { checkpoint: seal }) }
  const isAdded = await extendChain(db, chain, extension, more)
  if (!isAdded) return { kind: 'elsewhere', seq: (await readCursor(db, chain.id)).seq }
  return { kind: 'taken', seq: tree.size, cosigned: seal ? `${seal.note}${seal.cosignature}` : cosignedOf(chain) }
}

function cosignedOf({ checkpoint, cosignature }: Chain): string | null {
  return checkpoint === null ? null : `${checkpoint}${cosignature ?? ''}`
}

/** Text: what is wrong with the first that cannot be taken. */
function checkEntries(chain: Chain, entries: readonly UploadEntry[]): { hashes: readonly string[]; rows: readonly CheckedRow[] } | string {
  const hashes: string[] = []
  const rows: CheckedRow[] = []
  for (const [at, entry] of entries.entries()) {
    const seq = chain.seq + at + 1
    const checked = checkUploadEntry(entry, seq, hashes.at(-1) ?? chain.hash)
    if (!checked.ok) return `entry ${seq}: ${checked.why}`
    hashes.push(checked.hash)
    if (!('dropped' in entry)) rows.push({ seq, head: entry, isProved: checked.isProved })
  }
  return { hashes, rows }
}

type Seal = NonNullable<Parameters<typeof extendChain>[2]['checkpoint']>

/** Undefined: there is none to sign. Text: why it must not be signed. `treeAt`: of the entries that the checkpoint is over. */
function sealOf(chain: Chain, signer: NoteSigner, { checkpoint, keys }: UploadRequest, treeAt?: Tree): Seal | string | undefined {
  if (checkpoint === null || checkpoint === chain.checkpoint) return undefined
  const size = sizeOfCheckpoint(checkpoint) ?? 0
  // One of before: what is cosigned only grows.
  if (size < chain.checkpoint_size || treeAt === undefined) return undefined
  const check = checkCheckpoint(checkpoint, { origin: chain.origin, keys: chain.keys, offered: keys }, treeAt)
  if (!check.ok) return check.why
  return { size, note: checkpoint, cosignature: cosign(check.text, signer, Date.now()), keys: check.keys }
}

async function readCursor(db: Database, chain: number): Promise<{ seq: number }> {
  return db.selectFrom('chain').select('seq').where('id', '=', chain).executeTakeFirstOrThrow()
}

async function noteFinding(db: Database, chain: Chain, { kind, what }: Fork): Promise<void> {
  await db
    .insertInto('finding')
    .values({ chain: chain.id, kind, what })
    .onConflict(conflict => conflict.columns(['chain', 'kind']).doUpdateSet({ last_seen: new Date() }))
    .execute()
}

async function noteStatus(db: Database, machine: Machine, request: UploadRequest, isSame: boolean): Promise<void> {
  await updateStatus(machine, request, isSame).execute(db)
}

function updateStatus(machine: Machine, { status, head }: UploadRequest, isSame: boolean, when?: RawBuilder<unknown>): RawBuilder<unknown> {
  // How far its clock is from ours; the time on the way counts too.
  const skewMs = typeof status.now === 'number' ? status.now - Date.now() : null
  return updateContact(machine.id, { status: { ...status, head, isSame, skewMs } }, when)
}
