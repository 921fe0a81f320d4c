// Where decisions go once they are made: the ledger first, then whoever watches. The feed carries the entry as it was recorded, so a secret
// that was taken out before hashing reaches no page either.
import type { EntryDraft } from '@belay/core/ledger'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import type { DecideOptions } from './decide.ts'
import { writeDecision } from './decision-text.ts'
import type { EventFeed } from './event-feed.ts'
import type { RecordPort } from './late-records.ts'
import type { LogLine } from './log-line.ts'
import type { Metrics } from './metrics.ts'
import { PublishedEntry } from './published-entry.ts'

type TellSeq = (seq: number) => Promise<void>

export interface RecordingOptions {
  readonly ledger: RemoteLedger
  readonly feed: EventFeed
  readonly metrics: Metrics
  /** Counts what was decided, for the page. */
  readonly tally: { add(draft: EntryDraft): void }
  /** Who wants to know the place of a decision once it is in the ledger; null: nobody. */
  awaitRecord(draft: EntryDraft): TellSeq | null
  log(line: LogLine): void
}

export function recordDecisions(options: RecordingOptions): RecordPort & Pick<DecideOptions, 'now'> {
  const { ledger, feed, metrics, tally, awaitRecord, log } = options
  const now = () => performance.now()
  const countEvent = createEventCounter(metrics)
  const countFailure = metrics.counter('belay_record_failures_total')

  function noteWritten(begun: number, tell: TellSeq | null, seq: number, text: string | null): void {
    metrics.observe('belay_record_seconds', (now() - begun) / 1000)
    feed.publish('decision', new PublishedEntry(seq, text))
    tell?.(seq).catch(error => log({ level: 'error', message: 'a tool call could not be tied to its record', error: String(error) }))
  }

  function noteFailed(kind: string, error: unknown): void {
    countFailure()
    log({ level: 'error', message: 'a record could not be written', kind, error: String(error) })
  }

  return {
    now,
    // Of the draft nothing is kept but its text: thousands of them may be on their way, and what lives that long costs more than making it.
    record(draft, { eventId = null, seal = false }, done) {
      const begun = now()
      const tell = awaitRecord(draft)
      const { actor, session, kind, policy } = draft
      let body: string
      try {
        body = writeDecision(draft.body)
      } catch (error) {
        // A hook left something in it that is no data (it holds itself, say).
        noteFailed(kind, error)
        done(0, false)
        return 0
      }
      const { length } = body
      ledger.appendLater({ actor, session, kind, policy, body, eventId, seal, wantsText: feed.subscribers > 0 }, late => {
        if (late.ok) noteWritten(begun, tell, late.seq, late.text)
        else noteFailed(kind, late.error)
        done(length, late.ok)
      })
      return length
    },
    hurry: () => ledger.hurry(),
    onDecision(draft) {
      const { event, verdict, tookMs } = draft.body
      countEvent(event, verdict)
      metrics.observe('belay_decision_seconds', tookMs / 1000)
      tally.add(draft)
    },
  }
}

function createEventCounter(metrics: Metrics): (event: string, verdict: string) => void {
  const counters = new Map<string, Map<string, () => void>>()
  function addCounter(event: string, verdict: string): () => void {
    const counter = metrics.counter('belay_events_total', { event, verdict })
    counters.set(event, (counters.get(event) ?? new Map<string, () => void>()).set(verdict, counter))
    return counter
  }
  return (event, verdict) => (counters.get(event)?.get(verdict) ?? addCounter(event, verdict))()
}
