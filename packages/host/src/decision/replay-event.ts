// One event that a client judged while there was no daemon: into the ledger once, and once into the state of the work.
// The daemon may have recorded the same call before it died or while it hung. That is one call, so it is one record, unless the agent was
// told something else than that record says: then what it was told stands beside it.
import type { EntryDraft } from '@belay/core/ledger'
import type { SpooledAsk } from '../approval/spooled-ask.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { sharedText, wholeBody } from '../store/table/form.ts'
import { createWorkReplay } from './replay-work.ts'
import type { SpooledEvent } from './spool.ts'

export interface ReplayOptions {
  readonly ledger: Ledger
  readonly parts: WorkParts
  /** Counts a decision that is new in the ledger, for the page. */
  count(draft: EntryDraft): void
  /** Counts evidence that is new in the ledger, for the commitment that it belongs to. */
  countEvidence(commitment: string): void | Promise<void>
  /** Puts a question that waited into the queue. */
  openAsk(asked: SpooledAsk, happenedAt: number): Promise<void>
}

export function createReplay({ ledger, parts, count, countEvidence, openAsk }: ReplayOptions): (event: SpooledEvent) => Promise<void> {
  const replayWork = createWorkReplay(parts)
  return async event => {
    const { eventId, draft } = event
    const known = await findRecorded(ledger, eventId)
    if (known === null) {
      // In this order: should we die in between, a count is missing rather than counted twice.
      await append(draft, eventId)
      const { capturedBy, commitment } = draft.body
      if (capturedBy !== undefined && typeof commitment === 'string') await countEvidence(commitment)
      await replayWork(event)
      if (event.asked !== undefined && event.call !== undefined) await openAsk(event.asked, event.call.happenedAt)
      return
    }
    if (known.verdict === draft.body.verdict) return
    await append({ ...draft, body: { ...draft.body, alsoRecordedAs: known.id } }, `${eventId} alone`)
  }

  async function append(draft: EntryDraft, eventId: string): Promise<void> {
    await ledger.append(draft, { eventId })
    if (draft.body.verdict !== undefined) count(draft)
  }
}

async function findRecorded({ store }: Ledger, eventId: string): Promise<{ readonly id: string; readonly verdict: unknown } | null> {
  const row = await store.db
    .selectFrom('deliveries')
    .innerJoin('ledger', 'ledger.seq', 'deliveries.seq')
    .select(['ledger.id', 'ledger.body', sharedText().as('shared')])
    .where('deliveries.event_id', '=', eventId)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, verdict: JSON.parse(wholeBody(row)).verdict }
}
