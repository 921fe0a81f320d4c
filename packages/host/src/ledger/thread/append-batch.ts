// Entries on their way to the thread that writes: all of one turn in one message, as one flat list, because for so many small objects the way
// over and back would cost more than writing them.
import type { Entry, WrittenDraft } from '@belay/core/ledger'
import type { StoreErrorCode } from '../../store/store-error.ts'
import { formatEntry } from '../format-entry.ts'
import type { LocalLedger, WrittenOptions } from '../open-ledger.ts'
import { describeFailure, reviveFailure } from './ledger-message.ts'

/** Told once it is on disk, or cannot be. */
export type AppendDone = (written: Appended) => void

export type Appended =
  | { readonly ok: true; readonly seq: number; readonly text: string | null; readonly entry: Entry | null }
  | { readonly ok: false; readonly error: Error }

/** What comes back beside its place: nothing, the entry as one line of JSON, or the entry. What is not wanted costs nothing. */
export type Wanted = 'place' | 'text' | 'entry'

/** With what `AppendOptions` says of it: one flat object, since there is one for nearly every event. */
export interface BatchDraft extends WrittenDraft {
  readonly eventId: string | null
  readonly seal: boolean
  readonly wants: Wanted
}

export type AppendColumn = string | number | boolean | null

/** What an entry got, without what whoever sent it has: its body comes only where it is another one by now. */
type EntryColumns = readonly [
  ...[id: string, time: string, actor: string, session: string | null, kind: string, policy: string | null],
  ...[body: string | null, bodyHash: string, prev: string, hash: string, salt: string | null],
]

/** Two for each entry: its seq and what was wanted, or null and what went wrong. */
export type AppendReply = number | string | null | EntryColumns | readonly [message: string, code: StoreErrorCode | undefined]

/** Columns of one entry. */
const WIDTH = 9

/** One message of entries, still open for more of this turn. Of what was sent only the bodies of those are kept who want their entry back. */
export interface AppendBatch {
  readonly columns: AppendColumn[]
  readonly told: AppendDone[]
  readonly bodies: (string | null)[]
}

export function addToBatch({ columns, told, bodies }: AppendBatch, draft: BatchDraft, timeMs: number, done: AppendDone): void {
  const { actor, session, kind, policy, body, eventId, seal, wants } = draft
  columns.push(actor, session, kind, policy, body, eventId, seal, timeMs, wants)
  told.push(done)
  bodies.push(wants === 'entry' ? body : null)
}

export async function appendBatch(ledger: LocalLedger, columns: readonly AppendColumn[]): Promise<readonly AppendReply[]> {
  const drafts = []
  for (let at = 0; at < columns.length; at += WIDTH) drafts.push(draftAt(columns, at))
  const replies: AppendReply[] = []
  for (const [at, written] of (await ledger.appendAll(drafts)).entries()) {
    if (written instanceof Error) replies.push(null, failureOf(written))
    else replies.push(written.seq, wantedOf(written, columns, at * WIDTH))
  }
  return replies
}

function draftAt(columns: readonly AppendColumn[], at: number): WrittenDraft & WrittenOptions {
  const eventId = columns[at + 5]
  const timeMs = columns[at + 7]
  return {
    actor: String(columns[at]),
    session: textOrNull(columns[at + 1]),
    kind: String(columns[at + 2]),
    policy: textOrNull(columns[at + 3]),
    body: String(columns[at + 4]),
    seal: columns[at + 6] === true,
    ...(typeof eventId === 'string' && { eventId }),
    ...(typeof timeMs === 'number' && { timeMs }),
  }
}

function wantedOf(entry: Entry, columns: readonly AppendColumn[], at: number): AppendReply {
  const wants = columns[at + 8]
  if (wants === 'text') return formatEntry(entry)
  if (wants !== 'entry') return null
  const { id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt } = entry
  return [id, time, actor, session, kind, policy, body === columns[at + 4] ? null : body, bodyHash, prev, hash, salt]
}

function failureOf(error: Error): AppendReply {
  const { message, code } = describeFailure(error)
  return [message, code]
}

export function tellBatch({ told, bodies }: AppendBatch, replies: readonly AppendReply[]): void {
  for (const [at, done] of told.entries()) done(readReply(replies[at * 2] ?? null, replies[at * 2 + 1] ?? null, bodies[at] ?? ''))
}

function readReply(seq: AppendReply, said: AppendReply, sent: string): Appended {
  if (typeof seq !== 'number') {
    const [message, code] = said as readonly [string, StoreErrorCode | undefined]
    return { ok: false, error: reviveFailure(code === undefined ? { message } : { message, code }) }
  }
  if (said === null || typeof said === 'string') return { ok: true, seq, text: said, entry: null }
  const [id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt] = said as EntryColumns
  const names = { seq, id, time, actor, session, kind, policy }
  return { ok: true, seq, text: null, entry: { ...names, body: body ?? sent, bodyHash, prev, hash, salt } }
}

export function failBatch({ told }: AppendBatch, error: Error): void {
  for (const done of told) done({ ok: false, error })
}

function textOrNull(value: AppendColumn | undefined): string | null {
  return typeof value === 'string' ? value : null
}
