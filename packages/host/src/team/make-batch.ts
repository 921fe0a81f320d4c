// What is sent next: entries behind the place that the hub told us, as the membership says how much of each, with the checkpoint over them.
import { type Entry, GENESIS_HASH, parseCheckpoint, parseNote, readBodyHead, type TreeHead } from '@belay/core/ledger'
import { fitEntry, type UploadEntry, type UploadedHead } from '@belay/core/team'
import { GAP } from '../ledger/ledger-kind.ts'
import type { Store } from '../store/store.ts'
import { sharedText, wholeBody } from '../store/table/form.ts'
import { listKeys } from '../store/table/key.ts'
import { prepareDroppedRead } from '../store/table/leaf.ts'
import { prepareLedgerRead } from '../store/table/ledger.ts'
import { eraseFields } from './erase-fields.ts'
import type { Membership } from './membership.ts'

const MAX_ENTRIES = 500
const MAX_BYTES = 256 * 1024

export interface Batch {
  readonly from: number
  readonly prev: string | null
  readonly head: { readonly seq: number; readonly hash: string }
  readonly entries: readonly UploadEntry[]
  readonly checkpoint: string | null
  readonly keys: readonly string[]
}

export interface BatchMaker {
  make(from: number, membership: Membership): Promise<Batch>
  readHead(): Promise<Batch['head']>
  /** This ledger, by its name, has made a checkpoint over so many entries with this root. */
  hasCheckpoint(origin: string, head: TreeHead): Promise<boolean>
  /** What could not be seen or recorded, by the ledger's own account, up to an entry. */
  countUnseen(after: number, to: number): Promise<number>
  /** When an entry was recorded; null: there is none. */
  readTime(seq: number): Promise<string | null>
  /** Kinds of agents whose calls have reached this machine's daemon: they are guarded. */
  listAgents(): Promise<readonly string[]>
}

export function createBatchMaker(store: Store): BatchMaker {
  const readRows = prepareLedgerRead(store)
  const readDropped = prepareDroppedRead(store)

  const readHead = async (): Promise<Batch['head']> => {
    const row = await store.db.selectFrom('ledger').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
    return row ?? { seq: 0, hash: GENESIS_HASH }
  }
  const readHash = async (seq: number): Promise<string | null> => {
    if (seq === 0) return GENESIS_HASH
    const [row] = await readRows(seq, 1)
    return row?.seq === seq ? row.hash : ((await readDropped(seq, seq)).get(seq) ?? null)
  }
  const readEntries = async (from: number, to: number, membership: Membership): Promise<readonly UploadEntry[]> => {
    const rows = new Map((await readRows(from + 1, to - from)).map(row => [row.seq, row]))
    const dropped = await readDropped(from + 1, to)
    const entries: UploadEntry[] = []
    for (let seq = from + 1, bytes = 0; seq <= to && bytes < MAX_BYTES; seq++) {
      const row = rows.get(seq)
      const hash = dropped.get(seq)
      if (!row && hash === undefined) break
      const entry = row ? fitEntry(describeEntry(row, membership), row.hash) : { dropped: hash ?? '' }
      bytes += JSON.stringify(entry).length
      entries.push(entry)
    }
    return entries
  }
  return {
    readHead,
    hasCheckpoint: async (origin, { size, root }) => {
      const rows = await store.db.selectFrom('checkpoints').select('note').where('size', '=', size).execute()
      const made = rows.map(({ note }) => parseCheckpoint(parseNote(note)?.text ?? ''))
      return made.some(checkpoint => checkpoint?.origin === origin && checkpoint.root.equals(root))
    },
    readTime: async seq => {
      const [row] = await readRows(seq, 1)
      return row?.seq === seq ? row.time : null
    },
    listAgents: async () => {
      const rows = await store.db.selectFrom('fleet_status').select('agent_kind').distinct().orderBy('agent_kind').execute()
      return rows.flatMap(({ agent_kind }) => agent_kind ?? [])
    },
    countUnseen: async (after, to) => {
      const rows = await store.db
        .selectFrom('ledger')
        .select(['body', sharedText().as('shared')])
        .where('kind', '=', GAP)
        .where('seq', '>', after)
        .where('seq', '<=', to)
        .execute()
      return rows.reduce((sum, row) => sum + Number((JSON.parse(wholeBody(row)) as { lost?: number }).lost ?? 1), 0)
    },
    make: async (from, membership) => {
      const head = await readHead()
      const to = membership.upload === 'none' ? from : Math.min(head.seq, from + MAX_ENTRIES)
      const entries = to > from ? await readEntries(from, to, membership) : []
      const checkpoint = await findCheckpoint(store, from, from + entries.length)
      return { from, prev: head.seq < from ? null : await readHash(from), head, entries, checkpoint, keys: await listKeys(store) }
    },
  }
}

/** The last one that the hub can check with these entries. */
async function findCheckpoint(store: Store, from: number, to: number): Promise<string | null> {
  const query = store.db.selectFrom('checkpoints').select('note').where('size', '>=', Math.max(from, 1)).where('size', '<=', to)
  return (await query.orderBy('n', 'desc').limit(1).executeTakeFirst())?.note ?? null
}

function describeEntry(entry: Entry, { upload, erase }: Membership): UploadedHead {
  const { id, time, actor, session, kind, policy, body, bodyHash, salt, hash } = entry
  const names = { id, time, actor, session, kind, policy, bodyHash, ...readBodyHead(body) }
  const head: UploadedHead = salt === null ? { format: 1, ...names, hash } : { format: 2, ...names }
  if (upload !== 'bodies') return head
  const { body: left, erased } = eraseFields(body, erase)
  if (erased.length > 0) return { ...head, body: left, erased }
  return salt === null ? { ...head, body } : { ...head, body, salt }
}
