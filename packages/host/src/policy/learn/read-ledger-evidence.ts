// Evidence from our ledger: a call was used where its end is recorded, and refused where a rule or a person said no.
import type { Entry } from '@belay/core/ledger'
import { matchesActor } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import type { SeqRange } from '../../ledger/find-time.ts'
import { restoreBody } from '../../ledger/restore-body.ts'
import { type Fields, parseFields, textIn } from '../../statistic/read-fields.ts'
import type { Store } from '../../store/store.ts'
import { prepareLedgerRead } from '../../store/table/ledger.ts'
import { callOfBody, MARK, type RecordedCall } from '../recorded-call.ts'
import { createEvidence, type Evidence, type EvidenceBook } from './evidence.ts'

const PAGE_ROWS = 256
const OPEN_KEPT = 20_000

export interface EvidenceFilter {
  readonly project: string
  /** May hold `*`; null: every agent. */
  readonly actor: string | null
}

export async function readLedgerEvidence(store: Store, { first, last }: SeqRange, filter: EvidenceFilter): Promise<Evidence> {
  const read = prepareLedgerRead(store)
  const book = createEvidence()
  const take = createTaker(book, filter)
  for (let from = first; from <= last; from += PAGE_ROWS) {
    for (const entry of await read(from, Math.min(PAGE_ROWS, last - from + 1))) {
      if (!isCall(entry, filter)) continue
      take(entry, entry.body.includes('$blob"') ? await restoreBody(store, entry) : parseFields(entry.body))
    }
  }
  return book.evidence
}

function isCall({ kind, actor }: Entry, filter: EvidenceFilter): boolean {
  return (kind === 'pre_tool_use' || kind === 'post_tool_use') && (filter.actor === null || matchesActor(filter.actor, actor))
}

/** Its beginning is kept until its end comes. */
function createTaker(book: EvidenceBook, { project }: EvidenceFilter): (entry: Entry, body: Fields) => void {
  const open = new BoundedMap<string, RecordedCall>(OPEN_KEPT)
  return (entry, body) => {
    const isEnd = entry.kind === 'post_tool_use'
    const key = `${entry.session} ${textIn(body.toolUseId) ?? ''}`
    const recorded = isEnd ? open.get(key) : callOfBody(entry, body)
    if (recorded == null || recorded.root !== project || isLost(recorded)) return
    const seen = { call: recorded.call, actor: recorded.event.actor, cwd: recorded.event.cwd }
    if (isEnd) {
      book.add('used', seen)
      open.delete(key)
    } else if (body.verdict === 'deny') book.add('refused', seen)
    else open.set(key, recorded)
  }
}

/** A call of which words are gone teaches nothing. */
function isLost({ isRedacted, call }: RecordedCall): boolean {
  return isRedacted || MARK.test(call.tool)
}
