// An entry on the feed, as the text that was recorded: nothing is parsed unless somebody reads it, and while nobody reads, not even the
// text is there: it stands in the ledger.
import type { Entry } from '@belay/core/ledger'
import { formatEntry } from '../ledger/format-entry.ts'
import type { FeedItem } from './event-feed.ts'

export class PublishedEntry {
  readonly seq: number
  /** JSON; a reader outside gets it parsed. null: to be read from the ledger. */
  readonly text: string | null

  constructor(seq: number, text: string | null) {
    this.seq = seq
    this.text = text
  }

  toJSON(): unknown {
    return this.text === null ? null : JSON.parse(this.text)
  }
}

export type ReadEntries = (fromSeq: number, limit: number) => Promise<readonly Entry[]>

/** The item with its entry; as it is where it has one, or none of the ledger's. */
export async function fillEntry(item: FeedItem, read: ReadEntries): Promise<FeedItem> {
  if (!lacksEntry(item)) return item
  const [entry] = await read(item.data.seq, 1)
  if (entry?.seq !== item.data.seq) return item
  return { id: item.id, type: item.type, data: new PublishedEntry(entry.seq, formatEntry(entry)) }
}

export function lacksEntry(item: FeedItem): item is FeedItem & { readonly data: PublishedEntry } {
  return item.data instanceof PublishedEntry && item.data.text === null
}
