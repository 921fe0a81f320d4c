// Entries that nobody waits for, on their way to the thread that writes: many in one message, as one flat list, because for so many small
// objects the way over and back would cost more than writing them.
import type { WrittenDraft } from '@belay/core/ledger'
import { formatEntry } from '../format-entry.ts'
import type { LocalLedger } from '../open-ledger.ts'

/** Told once it is on disk, or cannot be. */
export type LateDone = (written: LateWritten) => void

/** `text` is the entry as one line of JSON where it was asked for. */
export type LateWritten =
  | { readonly ok: true; readonly seq: number; readonly text: string | null }
  | { readonly ok: false; readonly error: Error }

export type LateColumn = string | number | boolean | null

/** With what `AppendOptions` says of it: one flat object, since there is one for nearly every event. */
export interface LateDraft extends WrittenDraft {
  readonly eventId: string | null
  readonly seal: boolean
  /** Somebody watches: its text comes back too, which costs both sides as much as the way here. */
  readonly wantsText: boolean
}

/** Two for each entry: its seq and its text if that was asked for, or null and what went wrong. */
export type LateReply = number | string | null

/** Columns of one entry. */
const WIDTH = 9

export function addLate(columns: LateColumn[], draft: LateDraft, timeMs: number): void {
  const { actor, session, kind, policy, body, eventId, seal, wantsText } = draft
  columns.push(actor, session, kind, policy, body, eventId, seal, timeMs, wantsText)
}

export async function appendLate(ledger: LocalLedger, columns: readonly LateColumn[]): Promise<readonly LateReply[]> {
  const begun = []
  for (let at = 0; at < columns.length; at += WIDTH) begun.push(appendAt(ledger, columns, at))
  const replies: LateReply[] = []
  for (const [at, settled] of (await Promise.allSettled(begun)).entries()) {
    const wantsText = columns[at * WIDTH + WIDTH - 1] === true
    if (settled.status === 'fulfilled') replies.push(settled.value.seq, wantsText ? formatEntry(settled.value) : null)
    else replies.push(null, settled.reason instanceof Error ? settled.reason.message : String(settled.reason))
  }
  return replies
}

export function tellLate(waiting: readonly LateDone[], replies: readonly LateReply[]): void {
  for (const [at, done] of waiting.entries()) {
    const seq = replies[at * 2]
    const text = replies[at * 2 + 1]
    if (typeof seq === 'number') done({ ok: true, seq, text: typeof text === 'string' ? text : null })
    else done({ ok: false, error: new Error(String(text)) })
  }
}

export function failLate(waiting: readonly LateDone[], error: Error): void {
  for (const done of waiting) done({ ok: false, error })
}

function appendAt(ledger: LocalLedger, columns: readonly LateColumn[], at: number): ReturnType<LocalLedger['appendWritten']> {
  const [actor, session, kind, policy, body, eventId, seal, timeMs] = columns.slice(at, at + WIDTH)
  return ledger.appendWritten(
    {
      actor: String(actor),
      session: textOrNull(session),
      kind: String(kind),
      policy: textOrNull(policy),
      body: String(body),
    },
    {
      seal: seal === true,
      ...(typeof eventId === 'string' && { eventId }),
      ...(typeof timeMs === 'number' && { timeMs }),
    },
  )
}

function textOrNull(value: LateColumn | undefined): string | null {
  return typeof value === 'string' ? value : null
}
