// RFC 8785 (JSON Canonicalization Scheme): one text for one value, so that a hash of the text is a hash of the value.
// Invariant: never refuses what an agent could have sent. What JSON cannot hold is made fit the way JSON.stringify does it
// (undefined and functions fall away, NaN becomes null); a lone surrogate, which RFC 8785 forbids, becomes U+FFFD.

/** How JSON.stringify writes a lone surrogate: an escape with an even number of backslashes before it. Pairs it writes as they are. */
const ESCAPED_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[0-9a-f]{3}/g

export function canonicalJson(value: unknown): string {
  const text = (isOrdered(value) ? JSON.stringify(value) : writeEach(value)) ?? 'null'
  if (!text.includes('\\ud')) return text
  // Written once more: what was replaced may stand in keys, and those are sorted.
  return write(JSON.parse(replaceSurrogates(text))) ?? 'null'
}

/**
 * Data whose keys stand in order everywhere: JSON.stringify writes it as RFC 8785 wants it, in two thirds of the time and a fraction of the
 * memory. What we record ourselves is made that way.
 */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (Array.isArray(value)) return value.every(isOrdered)
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false
  let before = ''
  for (const key in value) {
    if (key < before || !isOrdered((value as Readonly<Record<string, unknown>>)[key])) return false
    before = key
  }
  return true
}

/** The values of an object may still be in order, each for itself. */
function writeEach(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return write(value)
  const fields = value as Readonly<Record<string, unknown>>
  return writeFields(fields, field => (isOrdered(field) ? JSON.stringify(field) : write(field)))
}

/** Printable ASCII without the quote and the backslash: nothing to escape. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A JSON string literal in canonical form. */
export function quoteJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  const quoted = JSON.stringify(text)
  return quoted.includes('\\ud') ? replaceSurrogates(quoted) : quoted
}

function replaceSurrogates(json: string): string {
  return json.replace(ESCAPED_SURROGATE, '$1\ufffd')
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return `"${value}"`
    case 'object':
      return value === null ? 'null' : writeObject(value)
    default:
      return undefined
  }
}

function writeObject(value: object): string | undefined {
  if (Array.isArray(value)) return writeArray(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  return writeFields(value as Readonly<Record<string, unknown>>, write)
}

function writeFields(fields: Readonly<Record<string, unknown>>, writeField: (value: unknown) => string | undefined): string {
  const { keys, quoted } = orderKeys(Object.keys(fields))
  let text = '{'
  for (let at = 0; at < keys.length; at++) {
    const written = writeField(fields[keys[at] as string])
    if (written !== undefined) text += (text === '{' ? '' : ',') + quoted[at] + written
  }
  return `${text}}`
}

function writeArray(items: readonly unknown[]): string {
  let text = '['
  for (const item of items) text += (text === '[' ? '' : ',') + (write(item) ?? 'null')
  return `${text}]`
}

interface KeyOrder {
  /** As they were found. */
  readonly found: readonly string[]
  readonly keys: readonly string[]
  /** The same, as they stand before their values. */
  readonly quoted: readonly string[]
}

/** Objects come in few shapes, again and again; sorting and quoting their keys was half of the work. By the first key. */
const orders = new Map<string, KeyOrder[]>()
const MAX_FIRST_KEYS = 500
const MAX_SHAPES = 8
const MAX_KEYS = 64

function orderKeys(found: readonly string[]): KeyOrder {
  const [first = ''] = found
  const shapes = orders.get(first)
  const known = shapes?.find(shape => isSame(shape.found, found))
  if (known) return known
  // Array.prototype.sort without a comparator orders by UTF-16 code units, which is the order RFC 8785 asks for.
  const keys = [...found].sort()
  const order = { found, keys, quoted: keys.map(key => `${JSON.stringify(key)}:`) }
  if (found.length > MAX_KEYS || found.some(key => key.length > MAX_KEYS)) return order
  if (shapes) {
    if (shapes.length < MAX_SHAPES) shapes.push(order)
  } else if (orders.size < MAX_FIRST_KEYS) orders.set(first, [order])
  return order
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
