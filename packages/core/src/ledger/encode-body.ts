// A body becomes canonical JSON, its large values blobs, referred to as {"$blob": hash, "bytes": n} (with "json": true if it was not a string).
// Invariant: no such object in an encoded body came from outside; keys of that look get one more `$`.
import { type Blob, createBlob } from './blob.ts'
import { canonicalJson, quoteJson } from './canonical-json.ts'

/** A value whose JSON is longer than this many bytes becomes a blob. The body itself never does. */
export const BLOB_BYTES = 4096

/** A value nested deeper than this becomes a blob: SQLite reads JSON of 1,000 levels and refuses a row with more. */
const DEEPEST = 800
const OPEN_BRACKET = 91
const OPEN_BRACE = 123

const BLOB_KEY = /^\$+blob$/
const BLOB_KEY_IN_JSON = /"\$+blob":/

export interface EncodedBody {
  readonly json: string
  readonly blobs: readonly Blob[]
}

export function encodeBody(body: Readonly<Record<string, unknown>>): EncodedBody {
  return encodeBodyJson(canonicalJson(body))
}

/** The same from a body's canonical JSON. */
export function encodeBodyJson(json: string): EncodedBody {
  if (!isLong(json) && !isDeep(json) && !holdsBlobKey(json)) return { json, blobs: [] }
  // From the text, not from the value: what toJSON and the like made of it is settled by now.
  return encodeObject(JSON.parse(json) as Record<string, unknown>, 1)
}

function holdsBlobKey(json: string): boolean {
  // Looked for first because to find no such text takes a tenth of what the expression takes.
  return json.includes('blob":') && BLOB_KEY_IN_JSON.test(json)
}

/** `depth`: of what it stands in. */
function encodeValue(value: unknown, depth: number): EncodedBody {
  if (typeof value === 'string') return isLong(value) ? detach(value, Buffer.from(value)) : { json: quoteJson(value), blobs: [] }
  if (typeof value !== 'object' || value === null) return { json: canonicalJson(value), blobs: [] }
  if (depth >= DEEPEST) return detach(value, Buffer.from(canonicalJson(value)))
  const encoded = Array.isArray(value) ? encodeArray(value, depth + 1) : encodeObject(value as Record<string, unknown>, depth + 1)
  return isLong(encoded.json) ? detach(value, Buffer.from(canonicalJson(value))) : encoded
}

function encodeArray(items: readonly unknown[], depth: number): EncodedBody {
  const encoded = items.map(item => encodeValue(item, depth))
  return { json: `[${encoded.map(item => item.json).join(',')}]`, blobs: encoded.flatMap(item => item.blobs) }
}

function encodeObject(fields: Readonly<Record<string, unknown>>, depth: number): EncodedBody {
  const blobs: Blob[] = []
  const pairs: [key: string, json: string][] = []
  for (const [key, value] of Object.entries(fields)) {
    const encoded = encodeValue(value, depth)
    pairs.push([BLOB_KEY.test(key) ? `$${key}` : key, encoded.json])
    blobs.push(...encoded.blobs)
  }
  pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  return { json: `{${pairs.map(([key, json]) => `${quoteJson(key)}:${json}`).join(',')}}`, blobs }
}

function detach(value: unknown, content: Buffer): EncodedBody {
  const blob = createBlob(content)
  const kind = typeof value === 'string' ? '' : ',"json":true'
  return { json: `{"$blob":"${blob.hash}","bytes":${content.length}${kind}}`, blobs: [blob] }
}

function isLong(text: string): boolean {
  // No character takes more than three bytes for one code unit.
  return text.length > BLOB_BYTES || (text.length * 3 > BLOB_BYTES && Buffer.byteLength(text) > BLOB_BYTES)
}

/** Whether it may be: that many brackets are opened, in its strings or outside. */
function isDeep(json: string): boolean {
  // Each level takes two characters.
  if (json.length < 2 * DEEPEST) return false
  let opened = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === OPEN_BRACKET || code === OPEN_BRACE) opened++
  }
  return opened > DEEPEST
}
