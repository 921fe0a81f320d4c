// Where decisions go once they are made: the ledger first, then whoever watches. The feed carries the entry as it was recorded, so a secret
// that was taken out before hashing reaches no page either.
import type { Entry, EntryDraft } from '@belay/core/ledger'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { DecideOptions } from './decide.ts'
import type { EventFeed } from './event-feed.ts'
import type { LogLine } from './log-line.ts'
import type { Metrics } from './metrics.ts'

export interface RecordingOptions {
  readonly ledger: Ledger
  readonly feed: EventFeed
  readonly metrics: Metrics
  /** Counts what was decided, for the page. */
  readonly tally: { add(draft: EntryDraft): void }
  /** Told of each decision once it is in the ledger. */
  onRecorded(entry: Entry, draft: EntryDraft): Promise<void>
  log(line: LogLine): void
}

export function recordDecisions({
  ledger,
  feed,
  metrics,
  tally,
  onRecorded,
  log,
}: RecordingOptions): Pick<DecideOptions, 'record' | 'onDecision' | 'onRecordFailure' | 'now'> {
  const now = () => performance.now()
  return {
    now,
    async record(draft, options) {
      const begun = now()
      const entry = await ledger.append(draft, options)
      metrics.observe('belay_record_seconds', (now() - begun) / 1000)
      feed.publish('decision', published(entry, draft.body))
      onRecorded(entry, draft).catch(error =>
        log({ level: 'error', message: 'a tool call could not be tied to its record', error: String(error) }),
      )
    },
    onDecision(draft) {
      metrics.count('belay_events_total', { event: String(draft.body.event), verdict: String(draft.body.verdict) })
      metrics.observe('belay_decision_seconds', Number(draft.body.tookMs) / 1000)
      tally.add(draft)
    },
    onRecordFailure(error, draft) {
      metrics.count('belay_record_failures_total')
      log({ level: 'error', message: 'a record could not be written', kind: draft.kind, error: String(error) })
    },
  }
}

/** What watchers inside the daemon need, without parsing. */
export interface PublishedDecision {
  readonly agentId: unknown
  readonly tool: unknown
  /** The entry as JSON; a reader outside gets it parsed. */
  readonly text: string
  toJSON(): unknown
}

export function published(
  { body, bodyHash: _bodyHash, prev: _prev, ...entry }: Entry,
  { agentId, tool }: EntryDraft['body'],
): PublishedDecision {
  const text = `${JSON.stringify(entry).slice(0, -1)},"body":${body}}`
  return { agentId, tool, text, toJSON: () => JSON.parse(text) }
}
