// Entries about the same call: before it, after it, its evidence, the person's decision. Looked for near the entry in its own session.
import type { Entry } from '@belay/core/ledger'
import { sql } from 'kysely'
import { type Fields, parseFields, textIn } from '../../statistic/read-fields.ts'
import type { Store } from '../../store/store.ts'
import { ENTRY_COLUMNS, readEntry } from '../../store/table/ledger.ts'

/** How many entries of the session are looked at in each direction. */
const NEAR = 200
const MOST = 20

export interface RelatedEntry {
  readonly entry: Entry
  readonly body: Fields
}

export async function findRelated(store: Store, entry: Entry): Promise<readonly RelatedEntry[]> {
  const { seq, session } = entry
  if (session === null) return []
  const subject = parseFields(entry.body)
  const near = { session, seq, subject }
  const before = await readNear(store, { ...near, isBefore: true })
  const candidates = [...before.toReversed(), ...(await readNear(store, { ...near, isBefore: false }))]
  const approvals = approvalsOf(subject, candidates)
  const isRelated = ({ entry: { kind }, body }: RelatedEntry): boolean => {
    if (kind.startsWith('approval_')) return typeof body.approval === 'string' && approvals.has(body.approval)
    return subject.toolUseId === undefined ? isSameCall(subject, body) : body.toolUseId === subject.toolUseId
  }
  return candidates.filter(isRelated).slice(0, MOST)
}

interface Near {
  readonly session: string
  readonly seq: number
  readonly subject: Fields
  readonly isBefore: boolean
}

/** With the same call id, or about a request; for a request itself the calls of the same tool. Nearest first. */
async function readNear(store: Store, { session, seq, subject, isBefore }: Near): Promise<readonly RelatedEntry[]> {
  const near = store.db
    .selectFrom('ledger')
    .select(ENTRY_COLUMNS)
    .where('session', '=', session)
    .where('seq', isBefore ? '<' : '>', seq)
    .orderBy('seq', isBefore ? 'desc' : 'asc')
    .limit(NEAR)
  const rows = await store.db
    .selectFrom(near.as('near'))
    .selectAll()
    .where(({ or, and, eb }) => {
      const isAboutRequest = eb('kind', 'like', 'approval_%')
      const id = textIn(subject.toolUseId)
      if (id !== null) return or([isAboutRequest, eb(sql`body ->> '$.toolUseId'`, '=', id)])
      const isSameTool = eb(sql`body ->> '$.tool'`, '=', textIn(subject.tool))
      return or([isAboutRequest, and([eb('kind', '=', 'pre_tool_use'), isSameTool])])
    })
    .execute()
  return rows.map(readEntry).map(other => ({ entry: other, body: parseFields(other.body) }))
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
