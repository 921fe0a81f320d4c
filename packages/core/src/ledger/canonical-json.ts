// RFC 8785 (JSON Canonicalization Scheme): one text for one value, so that a hash of the text is a hash of the value.
// Invariant: never refuses what an agent could have sent. What JSON cannot hold is made fit the way JSON.stringify does it
// (undefined and functions fall away, NaN becomes null); a lone surrogate, which RFC 8785 forbids, becomes U+FFFD.

/** How JSON.stringify writes a lone surrogate: an escape with an even number of backslashes before it. Pairs it writes as they are. */
const ESCAPED_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[0-9a-f]{3}/g

export function canonicalJson(value: unknown): string {
  const text = write(value) ?? 'null'
  if (!text.includes('\\ud')) return text
  // Written once more: what was replaced may stand in keys, and those are sorted.
  return write(JSON.parse(replaceSurrogates(text))) ?? 'null'
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
  if (Array.isArray(value)) return `[${value.map(item => write(item) ?? 'null').join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  const fields = value as Readonly<Record<string, unknown>>
  const { keys, quoted } = orderKeys(Object.keys(fields))
  let text = ''
  for (const [at, key] of keys.entries()) {
    const written = write(fields[key])
    if (written !== undefined) text += text === '' ? quoted[at] + written : `,${quoted[at]}${written}`
  }
  return `{${text}}`
}

interface KeyOrder {
  readonly keys: readonly string[]
  /** The same, as they stand before their values. */
  readonly quoted: readonly string[]
}

/** Objects come in few shapes, again and again; sorting and quoting their keys was half of the work. */
const orders = new Map<string, KeyOrder>()
const MAX_ORDERS = 2000
const MAX_SHAPE_LENGTH = 1000

function orderKeys(found: readonly string[]): KeyOrder {
  const shape = found.join('\n')
  const known = orders.get(shape)
  // Kept shapes have no line break inside a key; with as many keys, this one has none either and is the same.
  if (known !== undefined && known.keys.length === found.length) return known
  // Array.prototype.sort without a comparator orders by UTF-16 code units, which is the order RFC 8785 asks for.
  const keys = [...found].sort()
  const order = { keys, quoted: keys.map(key => `${JSON.stringify(key)}:`) }
  const canBeKept = shape.length <= MAX_SHAPE_LENGTH && orders.size < MAX_ORDERS && !keys.some(key => key.includes('\n'))
  if (canBeKept) orders.set(shape, order)
  return order
}
