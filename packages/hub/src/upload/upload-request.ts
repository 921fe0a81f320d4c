// What a machine sends: entries behind the place that the hub told it, and how it is.
import { parseUploadEntry, type UploadEntry } from '@belay/core/team'
import { isObject } from '@belay/core/value'

export const MAX_ENTRIES = 500

export interface UploadRequest {
  /** The hub holds the machine's entries up to here, as the hub said. */
  readonly from: number
  /** The hash that entry `from` has in the machine's ledger; null: it has no such entry. */
  readonly prev: string | null
  /** The last entry of the machine's ledger, and its hash. */
  readonly head: { readonly seq: number; readonly hash: string }
  readonly entries: readonly UploadEntry[]
  /** A checkpoint note over at most as many entries as the hub holds with these. */
  readonly checkpoint: string | null
  /** The machine's keys, as its ledger names them. */
  readonly keys: readonly string[]
  readonly status: Readonly<Record<string, unknown>>
}

/** Text: why it cannot be read. */
export function parseUpload(value: unknown): UploadRequest | string {
  if (!isObject(value)) return 'the body is not an object'
  const { from, prev, head, entries, checkpoint, keys, status } = value
  if (!isPlace(from) || !(prev === null || typeof prev === 'string')) return 'from and prev say behind which entry'
  if (!isObject(head) || !isPlace(head.seq) || typeof head.hash !== 'string') return 'head is {seq, hash}'
  if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) return `entries is a list of at most ${MAX_ENTRIES}`
  const parsed = entries.map(parseUploadEntry)
  const bad = parsed.indexOf(undefined)
  if (bad !== -1) return `entry ${from + bad + 1} cannot be read`
  if (!(checkpoint === null || typeof checkpoint === 'string')) return 'checkpoint is a note or null'
  if (!Array.isArray(keys) || !keys.every(key => typeof key === 'string')) return 'keys is a list of texts'
  if (!isObject(status)) return 'status is an object'
  const place = { from, prev, head: { seq: head.seq, hash: head.hash } }
  return { ...place, entries: parsed.filter(entry => entry !== undefined), checkpoint, keys, status }
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
