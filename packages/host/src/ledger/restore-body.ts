// The body of an entry as it was recorded, with the large values that stand beside it back in their places.
import type { Entry } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'

type Fields = Readonly<Record<string, unknown>>

/** What stands for a value whose bytes were trimmed. */
export const TRIMMED = '(trimmed)'

const ESCAPED_KEY = /^\$\$+blob$/

export async function restoreBody(store: Store, entry: Pick<Entry, 'seq' | 'body'>): Promise<Fields> {
  const body = JSON.parse(entry.body) as Fields
  return entry.body.includes('$blob"') ? (restoreValue(body, await readBlobs(store, entry.seq)) as Fields) : body
}

async function readBlobs(store: Store, seq: number): Promise<ReadonlyMap<string, string>> {
  const rows = await store.db.selectFrom('blobs').select(['hash', 'content']).where('seq', '=', seq).execute()
  return new Map(rows.flatMap(({ hash, content }) => (content === null ? [] : [[hash, Buffer.from(content).toString()] as const])))
}

function restoreValue(value: unknown, blobs: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => restoreValue(item, blobs))
  if ('$blob' in value && typeof value.$blob === 'string') {
    const content = blobs.get(value.$blob)
    if (content === undefined) return TRIMMED
    return 'json' in value && value.json === true ? JSON.parse(content) : content
  }
  // Keys that only look like a reference have one more `$` (encode-body.ts).
  const restored = Object.entries(value).map(([name, item]) => [ESCAPED_KEY.test(name) ? name.slice(1) : name, restoreValue(item, blobs)])
  return Object.fromEntries(restored)
}
