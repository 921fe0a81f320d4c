// Entries about the same call: before it, after it, its evidence, the person's decision. Looked for near the entry in its own session.
import type { Entry } from '@belay/core/ledger'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { LEDGER_COLUMNS, readEntry } from '../store/table/ledger.ts'
import { type Fields, parseFields, textIn } from './read-fields.ts'

/** How many entries of the session are looked at in each direction. */
const NEAR = 300
const MOST = 20

export interface RelatedEntry {
  readonly entry: Entry
  readonly body: Fields
}

export async function findRelated(store: Store, entry: Entry): Promise<readonly RelatedEntry[]> {
  const { seq, session } = entry
  if (session === null) return []
  const subject = parseFields(entry.body)
  const near = [
    ...(await readNear(store, { session, seq, isBefore: true })).toReversed(),
    ...(await readNear(store, { session, seq, isBefore: false })),
  ]
  const candidates = near.map(other => ({ entry: other, body: parseFields(other.body) }))
  const approvals = approvalsOf(subject, candidates)
  const toolUseId = textIn(subject.toolUseId)
  const isRelated = ({ body }: RelatedEntry): boolean =>
    (toolUseId !== null && body.toolUseId === toolUseId) ||
    (typeof body.approval === 'string' && approvals.has(body.approval)) ||
    (typeof subject.approval === 'string' && body.event === 'PreToolUse' && isSameCall(subject, body))
  return candidates.filter(isRelated).slice(0, MOST)
}

async function readNear(
  store: Store,
  { session, seq, isBefore }: { readonly session: string; readonly seq: number; readonly isBefore: boolean },
): Promise<readonly Entry[]> {
  const near = store.db
    .selectFrom('ledger')
    .select(LEDGER_COLUMNS)
    .where('session', '=', session)
    .where('seq', isBefore ? '<' : '>', seq)
    .orderBy('seq', isBefore ? 'desc' : 'asc')
    .limit(NEAR)
  // Without a call id or a request an entry is about no call.
  const rows = await store.db
    .selectFrom(near.as('near'))
    .selectAll()
    .where(({ or, eb }) => or([eb(sql`body ->> '$.toolUseId'`, 'is not', null), eb('kind', 'like', 'approval_%')]))
    .execute()
  return rows.map(readEntry)
}

/** Requests made for this very call: a request says the call but not its id. */
function approvalsOf(subject: Fields, candidates: readonly RelatedEntry[]): ReadonlySet<string> {
  const own = textIn(subject.approval)
  const asked = candidates.filter(({ entry, body }) => entry.kind === 'approval_requested' && isSameCall(subject, body))
  return new Set([...(own === null ? [] : [own]), ...asked.flatMap(({ body }) => textIn(body.approval) ?? [])])
}

function isSameCall(a: Fields, b: Fields): boolean {
  return a.tool !== undefined && a.tool === b.tool && a.input !== undefined && JSON.stringify(a.input) === JSON.stringify(b.input)
}
