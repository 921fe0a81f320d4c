// Entries that are no decisions (evidence, approvals, commitments, changes of policy) reach the feed too, once they are on disk.
import { formatEntry } from '../ledger/format-entry.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { EventFeed } from './event-feed.ts'
import { PublishedEntry } from './published-entry.ts'

export function announceEntries(ledger: Ledger, feed: EventFeed): Ledger {
  return {
    ...ledger,
    async append(draft, options) {
      const entry = await ledger.append(draft, options)
      feed.publish('entry', new PublishedEntry(entry.seq, formatEntry(entry)))
      return entry
    },
  }
}
