// Retention: large values and delivery ids past their time go; entries, hashes and checkpoints stay, so every proof stays valid.
// Invariant: what is about to go is recorded before it goes, so a missing blob without a record is a finding of `verify`.

import { LEDGER_TRIMMED } from './ledger-kind.ts'
import type { Ledger } from './open-ledger.ts'

export interface Retention {
  /** Null: keep. */
  readonly bodiesDays: number | null
  readonly eventsDays: number | null
}

export interface TrimReport {
  /** Blobs of entries before this seq went; null: none were due. */
  readonly beforeSeq: number | null
  readonly blobs: number
  readonly bytes: number
  readonly deliveries: number
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
  const due = await store.db
    .selectFrom('blobs')
    .select(eb => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | null>(eb.fn('length', ['content'])).as('bytes')])
    .where('seq', '<', bodiesBefore)
    .where('content', 'is not', null)
    .executeTakeFirstOrThrow()
  const old = await store.db
    .selectFrom('deliveries')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('seq', '<', eventsBefore)
    .executeTakeFirstOrThrow()
  const blobs = Number(due.blobs)
  const report = { beforeSeq: blobs > 0 ? bodiesBefore : null, blobs, bytes: Number(due.bytes ?? 0), deliveries: Number(old.n) }
  if (dryRun) return report
  if (blobs > 0) {
    const body = { beforeSeq: bodiesBefore, blobs, bytes: report.bytes }
    await ledger.append({ actor, session: null, kind: LEDGER_TRIMMED, policy: null, body }, { seal: true })
  }
  await store.transact(async tx => {
    await tx
      .updateTable('blobs')
      .set({ salt: null, content: null })
      .where('seq', '<', bodiesBefore)
      .where('content', 'is not', null)
      .execute()
    await tx.deleteFrom('deliveries').where('seq', '<', eventsBefore).execute()
  })
  return report
}

/** The first seq that must stay: that of the first entry young enough. Later ones stay whatever their clock said. */
async function findCutoff({ store }: Ledger, days: number | null, nowMs: number): Promise<number> {
  if (days === null) return 0
  const since = new Date(nowMs - days * DAY_MS).toISOString()
  const young = await store.db.selectFrom('ledger').select('seq').where('time', '>=', since).orderBy('seq').limit(1).executeTakeFirst()
  if (young) return young.seq
  const last = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (last?.seq ?? 0) + 1
}
