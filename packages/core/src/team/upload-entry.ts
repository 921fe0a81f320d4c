// One entry on its way from a machine to the hub. Its place and what it follows are not sent: the hub knows them, and works the hash out.
import { encodeHeadLeaf, encodeLeaf, hashBody, type PreparedEntry } from '../ledger/entry.ts'
import { hashLeaf } from '../ledger/hash.ts'
import { isObject } from '../value/is-object.ts'

/** The head of an entry of the second format; `body` and `salt` only where whole bodies are sent. */
export interface UploadedHead {
  readonly format: 1 | 2
  readonly id: string
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly policy: string | null
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
  readonly bodyHash: string
  /** Of the first format, whose hash cannot be worked out without the body. */
  readonly hash?: string
  readonly body?: string
  /** Not sent where something was erased from the body: it would let the rest be guessed. */
  readonly salt?: string
  /** JSON pointers of what was taken out of the body before it was sent. */
  readonly erased?: readonly string[]
}

/** Of an entry that `ledger gc` dropped only its hash is left; one whose head is too long for a hub is sent so. */
export type UploadEntry = UploadedHead | { readonly dropped: string }

export type CheckedEntry =
  /** `isProved`: head, and body where there is one, are what the machine's ledger holds; else only the hash is. */
  { readonly ok: true; readonly hash: string; readonly isProved: boolean } | { readonly ok: false; readonly why: string }

/** Of all texts of a head together, and of a body: what agents make up themselves (a session's name) must not hold an upload up. */
const MAX_HEAD_CHARACTERS = 16 * 1024
const MAX_BODY_CHARACTERS = 1024 * 1024

const HASH = /^[0-9a-f]{64}$/
const TEXTS = ['id', 'time', 'actor', 'kind', 'bodyHash'] as const
const NULLABLE = ['session', 'policy', 'judge', 'rule', 'tool', 'verdict'] as const
const HEAD_TEXTS = [...TEXTS, ...NULLABLE]

export function parseUploadEntry(value: unknown): UploadEntry | undefined {
  if (!isObject(value)) return undefined
  if (typeof value.dropped === 'string') return HASH.test(value.dropped) ? { dropped: value.dropped } : undefined
  if (value.format !== 1 && value.format !== 2) return undefined
  if (!TEXTS.every(name => typeof value[name] === 'string') || !NULLABLE.every(name => isTextOrNull(value[name]))) return undefined
  const { body, salt, erased, hash } = value
  if (![body, salt, hash].every(text => text === undefined || typeof text === 'string')) return undefined
  if (!isShort(value as unknown as UploadedHead)) return undefined
  if (erased !== undefined && !(Array.isArray(erased) && erased.every(item => typeof item === 'string'))) return undefined
  return HASH.test(String(value.bodyHash)) ? (value as unknown as UploadedHead) : undefined
}

/** As much of it as a hub takes. `hash`: what it has in the ledger. */
export function fitEntry(entry: UploadedHead, hash: string): UploadEntry {
  if (isShort(entry)) return entry
  const { body, salt, erased, ...head } = entry
  return isShort(head) ? head : { dropped: hash }
}

function isShort(entry: UploadedHead): boolean {
  let length = 0
  for (const name of HEAD_TEXTS) length += entry[name]?.length ?? 0
  return length <= MAX_HEAD_CHARACTERS && (entry.body?.length ?? 0) <= MAX_BODY_CHARACTERS
}

/** The hash that this entry has as row `seq` behind `prev`. */
export function checkUploadEntry(entry: UploadEntry, seq: number, prev: string): CheckedEntry {
  if ('dropped' in entry) return { ok: true, hash: entry.dropped, isProved: false }
  return entry.format === 2 ? checkSecond(entry, seq, prev) : checkFirst(entry, seq, prev)
}

function checkSecond(entry: UploadedHead, seq: number, prev: string): CheckedEntry {
  const { body, salt, erased } = entry
  if (body !== undefined && erased === undefined) {
    if (salt === undefined || hashBody(body, salt) !== entry.bodyHash) return { ok: false, why: 'its body does not give its body hash' }
  }
  return { ok: true, hash: hashLeaf(encodeHeadLeaf(entry, seq, prev)), isProved: true }
}

function checkFirst(entry: UploadedHead, seq: number, prev: string): CheckedEntry {
  const { body, hash = '', erased } = entry
  if (!HASH.test(hash)) return { ok: false, why: 'an entry of the first format comes with its hash' }
  if (body === undefined || erased !== undefined) return { ok: true, hash, isProved: false }
  const prepared: PreparedEntry = { ...entry, body, salt: null }
  if (hashBody(body, null) !== entry.bodyHash) return { ok: false, why: 'its body does not give its body hash' }
  return hashLeaf(encodeLeaf(prepared, seq, prev)) === hash
    ? { ok: true, hash, isProved: true }
    : { ok: false, why: 'its columns do not give its hash' }
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
