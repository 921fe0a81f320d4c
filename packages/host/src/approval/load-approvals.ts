// What the queue begins with: rows of the database, as far as the ledger says the same. Every change of a request is an entry with a keyed
// seal of the row it left behind, so a row that another hand changed, brought back or made up fits no last entry, and is not believed.
import { createHmac } from 'node:crypto'
import { canonicalJson, type EntryDraft } from '@belay/core/ledger'
import type { Selectable } from 'kysely'
import type { Store } from '../store/store.ts'
import type { ApprovalTable } from '../store/table/approval.ts'
import { sharedText, wholeBody } from '../store/table/form.ts'
import { type ApprovalRequest, requestOf, rowOf } from './request.ts'

export interface LoadOptions {
  readonly store: Store
  readonly key: Uint8Array
  append(draft: EntryDraft): Promise<unknown>
}

const KINDS = ['approval_requested', 'approval_decided', 'approval_used', 'approval_expired'] as const

type Row = Selectable<ApprovalTable>

export function sealOf(key: Uint8Array, request: ApprovalRequest): string {
  return sealRow(key, rowOf(request))
}

function sealRow(key: Uint8Array, row: Row): string {
  // Not the hash of a call, which the same key makes.
  return createHmac('sha256', key)
    .update(`approval row ${canonicalJson({ ...row })}`)
    .digest('hex')
}

/** Nothing will look at it any more. A gate that ran out still holds its commitment. */
export function isSettled({ kind, state, usedAt }: ApprovalRequest): boolean {
  return usedAt !== null || (kind === 'call' && state === 'expired')
}

export async function loadApprovals(options: LoadOptions): Promise<Map<string, ApprovalRequest>> {
  const { store } = options
  const rows = await store.db
    .selectFrom('approvals')
    .selectAll()
    .where('used_at', 'is', null)
    .where(eb => eb.or([eb('state', '!=', 'expired'), eb('kind', '=', 'gate')]))
    .execute()
  const live = new Map<string, ApprovalRequest>()
  for (const row of rows.filter(({ kind }) => kind === 'call')) {
    const last = await lastEntryOf(store, row)
    if (isSame(options, row, last)) live.set(row.id, requestOf(row))
    else {
      await store.transact(tx => tx.updateTable('approvals').set({ state: 'expired' }).where('id', '=', row.id).execute())
      await report(options, row.id, last)
    }
  }
  // A gate holds a commitment: whatever became of its row, it holds until the ledger says that it is over.
  const rowOfGate = new Map(rows.map(row => [row.id, row]))
  for (const [id, { first, last }] of await readGates(store)) {
    const row = rowOfGate.get(id)
    if (row !== undefined && isSame(options, row, last)) live.set(id, requestOf(row))
    else if (!isOverIn(last, row === undefined) && first !== null) {
      live.set(id, gateOf(first))
      await report(options, id, last)
    }
  }
  return live
}

interface ApprovalEntry {
  readonly seq: number
  readonly kind: string
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly body: Readonly<Record<string, unknown>>
}

function selectEntries({ db }: Store) {
  return db
    .selectFrom('ledger')
    .select(['seq', 'kind', 'time', 'actor', 'session', 'body', sharedText().as('shared')])
    .where('kind', 'in', KINDS)
}

async function lastEntryOf(store: Store, { id, session }: Row): Promise<ApprovalEntry | null> {
  const entries = await selectEntries(store)
    .where('session', session === null ? 'is' : '=', session)
    .orderBy('seq', 'desc')
    .execute()
  return entries.map(readEntry).find(({ body }) => body.approval === id) ?? null
}

/** By request: the entry that opened it and the last one. */
async function readGates(store: Store) {
  const entries = await selectEntries(store).where('commitment', 'is not', null).orderBy('seq').execute()
  const gates = new Map<string, { readonly first: ApprovalEntry | null; readonly last: ApprovalEntry }>()
  for (const entry of entries.map(readEntry)) {
    const id = String(entry.body.approval)
    // Calls carry the commitment they are made for.
    if (entry.body.tool !== null) continue
    gates.set(id, { first: gates.get(id)?.first ?? (entry.kind === 'approval_requested' ? entry : null), last: entry })
  }
  return gates
}

type EntryRow = Omit<ApprovalEntry, 'body'> & Parameters<typeof wholeBody>[0]

function readEntry({ seq, kind, time, actor, session, ...kept }: EntryRow): ApprovalEntry {
  return { seq, kind, time, actor, session, body: JSON.parse(wholeBody(kept)) as ApprovalEntry['body'] }
}

/** Entries of before there were seals do not say it; `isRowOver`: the row is no longer among those that count. */
function isOverIn({ kind, body }: ApprovalEntry, isRowOver: boolean): boolean {
  if (body.seal !== undefined) return body.isOver === true
  return kind === 'approval_used' || (kind === 'approval_expired' && isRowOver)
}

function isSame({ key }: LoadOptions, row: Row, last: ApprovalEntry | null): boolean {
  return last !== null && last.body.seal === sealRow(key, row)
}

async function report({ append }: LoadOptions, id: string, last: ApprovalEntry | null): Promise<void> {
  const why = last === null ? 'no entry of the ledger speaks of it' : `it is not what entry ${last.seq} left behind`
  const body = { approval: id, why, believed: false }
  await append({ actor: 'system:daemon', session: null, kind: 'approval_unsealed', policy: null, body })
}

/** As the ledger knows it, undecided and past its time: it is asked again. */
function gateOf({ body, time, actor, session }: ApprovalEntry): ApprovalRequest {
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '')
  const textOrNull = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null)
  return {
    id: text('approval'),
    state: 'expired',
    kind: 'gate',
    root: text('root'),
    agent: text('agent'),
    actor,
    agentId: text('agentId'),
    session,
    commitment: textOrNull('commitment'),
    tool: null,
    input: typeof body.input === 'object' && body.input !== null ? (body.input as ApprovalRequest['input']) : {},
    inputHash: text('inputHash'),
    reason: text('reason'),
    rule: textOrNull('rule'),
    origin: text('origin'),
    approvers: Array.isArray(body.approvers) ? body.approvers.map(String) : [],
    createdAt: time,
    expiresAt: text('expiresAt'),
    decidedAt: null,
    decidedBy: null,
    note: null,
    usedAt: null,
  }
}
