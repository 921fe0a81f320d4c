// Where decisions go once they are made: the ledger first, then whoever watches. The feed carries the entry as it was recorded, so a secret
// that was taken out before hashing reaches no page either.
import { canonicalJson, type EntryDraft } from '@belay/core/ledger'
import { formatEntry } from '../ledger/format-entry.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import type { DecideOptions } from './decide.ts'
import type { EventFeed } from './event-feed.ts'
import type { LogLine } from './log-line.ts'
import type { Metrics } from './metrics.ts'
import { PublishedEntry } from './published-entry.ts'

export interface RecordingOptions {
  readonly ledger: RemoteLedger
  readonly feed: EventFeed
  readonly metrics: Metrics
  /** Counts what was decided, for the page. */
  readonly tally: { add(draft: EntryDraft): void }
  /** Who wants to know the place of a decision once it is in the ledger; null: nobody. */
  awaitRecord(draft: EntryDraft): ((seq: number) => Promise<void>) | null
  log(line: LogLine): void
}

export function recordDecisions(options: RecordingOptions): Pick<DecideOptions, 'record' | 'recordLater' | 'onDecision' | 'now'> {
  const { ledger, feed, metrics, tally } = options
  const now = () => performance.now()
  return {
    now,
    async record(draft, appendOptions) {
      const written = expectRecord(options, draft, now())
      try {
        const entry = await ledger.append(draft, appendOptions)
        written.good(entry.seq, formatEntry(entry))
        return true
      } catch (error) {
        written.bad(error)
        return false
      }
    },
    // Of the draft nothing is kept but its text: thousands of them may be on their way, and what lives that long costs more than making it.
    recordLater(draft, appendOptions, done) {
      const written = expectRecord(options, draft, now())
      const { actor, session, kind, policy } = draft
      const body = writeBody(draft, written)
      const length = body?.length ?? 0
      if (body === null) done(length)
      else
        ledger.appendLater({ actor, session, kind, policy, body }, { ...appendOptions, wantsText: feed.subscribers > 0 }, late => {
          if (late.ok) written.good(late.seq, late.text)
          else written.bad(late.error)
          done(length)
        })
      return length
    },
    onDecision(draft) {
      metrics.count('belay_events_total', { event: String(draft.body.event), verdict: String(draft.body.verdict) })
      metrics.observe('belay_decision_seconds', Number(draft.body.tookMs) / 1000)
      tally.add(draft)
    },
  }
}

/** null: a hook left something in it that is no data (it holds itself, say), which was reported. */
function writeBody({ body }: EntryDraft, written: Expected): string | null {
  try {
    return canonicalJson(body)
  } catch (error) {
    written.bad(error)
    return null
  }
}

interface Expected {
  good(seq: number, text: string | null): void
  bad(error: unknown): void
}

function expectRecord({ feed, metrics, awaitRecord, log }: RecordingOptions, draft: EntryDraft, begun: number): Expected {
  const tell = awaitRecord(draft)
  const { kind } = draft
  return {
    good(seq, text) {
      metrics.observe('belay_record_seconds', (performance.now() - begun) / 1000)
      feed.publish('decision', new PublishedEntry(seq, text))
      tell?.(seq).catch(error => log({ level: 'error', message: 'a tool call could not be tied to its record', error: String(error) }))
    },
    bad(error) {
      metrics.count('belay_record_failures_total')
      log({ level: 'error', message: 'a record could not be written', kind, error: String(error) })
    },
  }
}
