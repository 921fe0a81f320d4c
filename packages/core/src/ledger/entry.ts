// One row of the ledger, and how it is bound to the row before it.
// Invariant: `hash` is the RFC 6962 leaf hash of the RFC 8785 JSON of every other column, `prev` among them. So the chain and the tree
// share one hash, and no column can change without it.
// In the first format the body stands in the leaf. In the second the leaf holds the head of the entry and the hash of salt and body: who has
// only the head can check it, and learns nothing of the body.
import { type BodyHead, readBodyHead } from './body-head.ts'
import { canonicalJson, quoteJson } from './canonical-json.ts'
import { hashLeaf, sha256Hex } from './hash.ts'

/** What a caller wants recorded. */
export interface EntryDraft {
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  /** Hash of the policy in force. */
  readonly policy: string | null
  readonly body: Readonly<Record<string, unknown>>
}

/** A draft whose body is canonical JSON already. */
export interface WrittenDraft extends Omit<EntryDraft, 'body'> {
  readonly body: string
}

/** A draft made ready: named, timed, its body serialised once. Its place in the chain is still open. */
export interface PreparedEntry {
  readonly id: string
  /** ISO 8601, UTC, milliseconds. For people: order is by `seq`. */
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly policy: string | null
  /** Canonical JSON of an object. */
  readonly body: string
  /** Of the salt and the body behind it. */
  readonly bodyHash: string
  /** Random text, so that nobody guesses a body from its hash. Null: an entry of the first format. */
  readonly salt: string | null
}

/** Where the head of the body was read before: it is not read again. */
export interface WithHead {
  readonly head?: BodyHead | undefined
}

export interface Entry extends PreparedEntry {
  /** From 1, without gaps. Its leaf index is `seq - 1`. */
  readonly seq: number
  readonly prev: string
  readonly hash: string
}

/** `prev` of the first entry. */
export const GENESIS_HASH = '0'.repeat(64)

/** Its body is what `encodeBody` made of it. Without a salt it is one of the first format. */
export function prepareEntry(draft: WrittenDraft & WithHead, id: string, timeMs: number, salt: string | null): PreparedEntry & WithHead {
  const { body, head } = draft
  return {
    id,
    time: new Date(timeMs).toISOString(),
    actor: cleanText(draft.actor),
    session: cleanNullable(draft.session),
    kind: cleanText(draft.kind),
    policy: cleanNullable(draft.policy),
    body,
    bodyHash: hashBody(body, salt),
    salt,
    head,
  }
}

export function hashBody(body: string, salt: string | null): string {
  return sha256Hex(salt === null ? body : salt + body)
}

export function chainEntry(prepared: PreparedEntry & WithHead, seq: number, prev: string): Entry {
  const hash = hashLeaf(encodeLeaf(prepared, seq, prev))
  const { id, time, actor, session, kind, policy, body, bodyHash, salt } = prepared
  return { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt }
}

/** The canonical JSON that is hashed. In the first format the body stands in it, as JSON and not as a string. */
export function encodeLeaf(prepared: PreparedEntry & WithHead, seq: number, prev: string): string {
  return encodeKeptLeaf(prepared, { seq, prev, bodyHash: prepared.bodyHash })
}

/** The same for an entry that does not say what it follows. */
export function encodeKeptLeaf(
  kept: PreparedEntry & WithHead,
  { seq, prev, bodyHash }: Pick<Besides, 'seq' | 'prev' | 'bodyHash'>,
): string {
  const at = { seq, prev, bodyHash, blobs: '', hash: '', body: '', salt: '' }
  return kept.salt === null ? encodeColumns(kept, at) : encodeHead(kept, kept.head ?? readBodyHead(kept.body), at)
}

/** One line of an export, canonical too: the leaf, its hash, and the blobs beside it, `{hash: {salt, content} | null}`, if there are any. */
export function encodeLine(entry: Entry, blobs: Readonly<Record<string, unknown>> = {}): string {
  const { seq, prev, bodyHash, body, salt } = entry
  const besides = Object.keys(blobs).length === 0 ? '' : `"blobs":${canonicalJson(blobs)},`
  const at = { seq, prev, bodyHash, blobs: besides, hash: `"hash":"${entry.hash}",`, body: '', salt: '' }
  if (salt === null) return encodeColumns(entry, at)
  return encodeHead(entry, readBodyHead(body), { ...at, body: `"body":${body},`, salt: `"salt":${quoteJson(salt)},` })
}

/** Where an entry stands, and what a line has that a leaf has not. */
interface Besides {
  readonly seq: number
  readonly prev: string
  readonly bodyHash: string
  readonly blobs: string
  readonly hash: string
  readonly body: string
  readonly salt: string
}

/** Everything that the leaf of the second format holds, but its place. */
export type EntryHead = Omit<PreparedEntry, 'body' | 'salt'> & BodyHead

/** The leaf of the second format, for whoever has no body. */
export function encodeHeadLeaf(head: EntryHead, seq: number, prev: string): string {
  return encodeHead(head, head, { seq, prev, bodyHash: head.bodyHash, blobs: '', hash: '', body: '', salt: '' })
}

type EntryNames = Pick<PreparedEntry, 'id' | 'time' | 'actor' | 'session' | 'kind' | 'policy'>

function encodeHead(names: EntryNames, { judge, rule, tool, verdict }: BodyHead, at: Besides): string {
  return (
    `{"actor":${quoteJson(names.actor)},${at.blobs}${at.body}"bodyHash":"${at.bodyHash}","format":2,${at.hash}` +
    `"id":${quoteJson(names.id)},"judge":${quoteNullable(judge)},"kind":${quoteJson(names.kind)},` +
    `"policy":${quoteNullable(names.policy)},"prev":"${at.prev}","rule":${quoteNullable(rule)},${at.salt}"seq":${at.seq},` +
    `"session":${quoteNullable(names.session)},"time":${quoteJson(names.time)},"tool":${quoteNullable(tool)},"verdict":${quoteNullable(verdict)}}`
  )
}

function encodeColumns(prepared: PreparedEntry, at: Besides): string {
  return (
    `{"actor":${quoteJson(prepared.actor)},${at.blobs}"body":${prepared.body},"bodyHash":"${at.bodyHash}",${at.hash}` +
    `"id":${quoteJson(prepared.id)},"kind":${quoteJson(prepared.kind)},"policy":${quoteNullable(prepared.policy)},` +
    `"prev":"${at.prev}","seq":${at.seq},"session":${quoteNullable(prepared.session)},"time":${quoteJson(prepared.time)}}`
  )
}

/** The hash that the columns of a row demand; differs from `entry.hash` if any of them was changed. */
export function recomputeHash(entry: Entry): string {
  return hashLeaf(encodeLeaf(entry, entry.seq, entry.prev))
}

function cleanNullable(text: string | null): string | null {
  return text === null ? null : cleanText(text)
}

function quoteNullable(text: string | null): string {
  return text === null ? 'null' : quoteJson(text)
}

/** Names come from outside: control characters and lone surrogates do not survive every database. */
function cleanText(text: string): string {
  return /[\u0000-\u001f\u007f\ud800-\udfff]/.test(text) ? text.replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, '\ufffd') : text
}
