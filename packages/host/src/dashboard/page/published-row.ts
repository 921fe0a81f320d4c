// What the feed carries of an entry, as one line of a list. Made when somebody listens, from the entry as it was recorded.
import type { RecordRow } from '../../page/record.ts'
import { fieldsIn, textIn } from '../../statistic/read-fields.ts'
import { rowOf } from '../../statistic/record-row.ts'

/** Types of feed events that carry an entry. */
const CARRIERS = new Set(['decision', 'entry'])

export function carriesEntry(type: string): boolean {
  return CARRIERS.has(type)
}

/** null: the data is no entry. */
export function publishedRow(data: unknown): RecordRow | null {
  const entry = fieldsIn(hasJson(data) ? data.toJSON() : data)
  const body = fieldsIn(entry?.body)
  if (entry === null || body === null || typeof entry.seq !== 'number') return null
  const source = {
    seq: entry.seq,
    id: textIn(entry.id) ?? '',
    time: textIn(entry.time) ?? '',
    actor: textIn(entry.actor) ?? '',
    session: textIn(entry.session),
    kind: textIn(entry.kind) ?? '',
  }
  return rowOf(source, body)
}

function hasJson(data: unknown): data is { toJSON(): unknown } {
  return typeof data === 'object' && data !== null && 'toJSON' in data && typeof data.toJSON === 'function'
}
