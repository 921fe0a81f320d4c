// Where decisions go once they are made: the ledger first, then whoever watches. The feed carries the entry as it was recorded, so a secret
// that was taken out before hashing reaches no page either.
import type { EntryDraft } from '@belay/core/ledger'
import type { EventFeed } from '../feed/event-feed.ts'
import { PublishedEntry } from '../feed/published-entry.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import type { Metrics } from '../statistic/metrics.ts'
import type { LogLine } from '../terminal/log-line.ts'
import type { DecideOptions } from './decide.ts'
import { writeDecision } from './decision-text.ts'
import type { Gaps } from './gap.ts'
import type { RecordPort } from './record-queue.ts'

type TellSeq = (seq: number) => Promise<void>

export interface RecordingOptions {
  readonly ledger: RemoteLedger
  readonly feed: EventFeed
  readonly metrics: Metrics
  /** Counts what was decided, for the page. */
  readonly tally: { add(draft: EntryDraft): void }
  /** Who wants to know the place of a decision once it is in the ledger; null: nobody. */
  awaitRecord(draft: EntryDraft): TellSeq | null
  /** What could not be recorded. */
  readonly gaps: Pick<Gaps, 'note'>
  log(line: LogLine): void
}

export function recordDecisions(options: RecordingOptions): RecordPort & Pick<DecideOptions, 'now'> {
  const { ledger, feed, metrics, tally, awaitRecord, gaps, log } = options
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
    gaps.note('record', error)
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
        // A hook left something in it that is not data (it holds itself, say).
        noteFailed(kind, error)
        done(0, false)
        return 0
      }
      const { length } = body
      const wants = feed.subscribers > 0 ? 'text' : 'place'
      ledger.appendText({ actor, session, kind, policy, body, eventId, seal, wants }, written => {
        if (written.ok) noteWritten(begun, tell, written.seq, written.text)
        else noteFailed(kind, written.error)
        done(length, written.ok)
      })
      return length
    },
    onNoRoom() {
      countFailure()
      gaps.note('record', new Error('more calls came than could be recorded'))
    },
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
