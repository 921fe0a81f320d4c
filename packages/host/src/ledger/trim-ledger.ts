// Retention: large values go past their time, and so do rows beside the ledger that are over: delivery ids, dialogue, requests for approval,
// tool calls; where it is asked for, whole entries too. Hashes and checkpoints stay, so every proof stays valid.
// Invariant: what is about to go is recorded before it goes, so a missing blob without a record is a finding of `verify`.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../store/table/tables.ts'
import { readAcknowledged } from './acknowledged.ts'
import { countDroppable, dropEntries, limitDrop } from './drop-entries.ts'
import { LEDGER_TRIMMED } from './ledger-kind.ts'
import type { Ledger } from './open-ledger.ts'

export interface Retention {
  /** Null: keep. */
  readonly bodiesDays: number | null
  readonly eventsDays: number | null
  readonly entriesDays: number | null
}

export interface TrimReport {
  /** Blobs of entries before this seq went; null: none were due. */
  readonly beforeSeq: number | null
  readonly blobs: number
  readonly bytes: number
  readonly deliveries: number
  readonly messages: number
  readonly approvals: number
  readonly toolCalls: number
  /** Entries before this seq were dropped whole; null: none were due. */
  readonly entriesBefore: number | null
  readonly entries: number
}

export interface TrimOptions {
  readonly retention: Retention
  readonly actor: string
  readonly nowMs: number
  readonly dryRun: boolean
}

const DAY_MS = 86_400_000

export async function trimLedger(ledger: Ledger, { retention, actor, nowMs, dryRun }: TrimOptions): Promise<TrimReport> {
  const { store } = ledger
  const bodiesBefore = await findCutoff(ledger, retention.bodiesDays, nowMs)
  const eventsBefore = await findCutoff(ledger, retention.eventsDays, nowMs)
  const old = await store.db
    .selectFrom('blobs')
    .select(eb => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | null>(eb.fn('length', ['content'])).as('bytes')])
    .where('seq', '<', bodiesBefore)
    .where('content', 'is not', null)
    .executeTakeFirstOrThrow()
  const blobs = Number(old.blobs)
  const limit = { beforeSeq: eventsBefore, before: cutoffTime(retention.eventsDays, nowMs) }
  const rows = await store.transact(tx => trimRows(tx, { ...limit, dryRun: true }))
  const sent = readAcknowledged(ledger.files)
  const due = await findCutoff(ledger, retention.entriesDays, nowMs)
  const entriesBefore = await limitDrop(store, sent === undefined ? due : Math.min(due, sent + 1))
  const entries = await countDroppable(store, entriesBefore)
  const report = {
    beforeSeq: blobs > 0 ? bodiesBefore : null,
    blobs,
    bytes: Number(old.bytes ?? 0),
    ...rows,
    entriesBefore: entries > 0 ? entriesBefore : null,
    entries,
  }
  if (dryRun) return report
  if (blobs > 0 || entries > 0 || Object.values(rows).some(count => count > 0)) {
    await ledger.append({ actor, session: null, kind: LEDGER_TRIMMED, policy: null, body: report }, { seal: true })
  }
  await store.transact(async tx => {
    await tx
      .updateTable('blobs')
      .set({ salt: null, content: null })
      .where('seq', '<', bodiesBefore)
      .where('content', 'is not', null)
      .execute()
    await trimRows(tx, { ...limit, dryRun: false })
  })
  await dropEntries(store, entriesBefore)
  return report
}

interface RowLimit {
  readonly beforeSeq: number
  /** ISO time; null: keep. */
  readonly before: string | null
  readonly dryRun: boolean
}

/** What is over and older than the limit; what still waits or holds something stays. */
async function trimRows(
  tx: Kysely<Tables>,
  { beforeSeq, before, dryRun }: RowLimit,
): Promise<Pick<TrimReport, 'deliveries' | 'messages' | 'approvals' | 'toolCalls'>> {
  const deliveries = sql<SqlBool>`seq < ${beforeSeq}`
  const trim = async (table: 'deliveries' | 'messages' | 'approvals' | 'tool_calls', isOver: RawBuilder<SqlBool>): Promise<number> => {
    const counted = await tx
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where(isOver)
      .executeTakeFirstOrThrow()
    if (!dryRun) await tx.deleteFrom(table).where(isOver).execute()
    return Number(counted.n)
  }
  const kept = { deliveries: await trim('deliveries', deliveries), messages: 0, approvals: 0, toolCalls: 0 }
  if (before === null) return kept
  return {
    ...kept,
    messages: await trim('messages', sql`created_at < ${before}`),
    approvals: await trim('approvals', sql`created_at < ${before} AND (used_at IS NOT NULL OR (kind = 'call' AND state = 'expired'))`),
    toolCalls: await trim('tool_calls', sql`created_at < ${before} AND status IN ('succeeded', 'failed', 'abandoned')`),
  }
}

function cutoffTime(days: number | null, nowMs: number): string | null {
  return days === null ? null : new Date(nowMs - days * DAY_MS).toISOString()
}

/** The first seq that must stay: that of the first entry young enough. Later ones stay whatever their clock said. */
async function findCutoff({ store }: Ledger, days: number | null, nowMs: number): Promise<number> {
  const since = cutoffTime(days, nowMs)
  if (since === null) return 0
  const young = await store.db.selectFrom('ledger').select('seq').where('time', '>=', since).orderBy('seq').limit(1).executeTakeFirst()
  if (young) return young.seq
  const last = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (last?.seq ?? 0) + 1
}
