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
      return JSON.stringify(value)
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
  let text = ''
  // Array.prototype.sort without a comparator orders by UTF-16 code units, which is the order RFC 8785 asks for.
  for (const key of Object.keys(fields).sort()) {
    const written = write(fields[key])
    if (written !== undefined) text += text === '' ? quoteKey(key) + written : `,${quoteKey(key)}${written}`
  }
  return `{${text}}`
}

/** The same few keys come again and again; quoting them was a third of the work. */
const quotedKeys = new Map<string, string>()
const MAX_QUOTED_KEYS = 2000
const MAX_KEY_LENGTH = 64

function quoteKey(key: string): string {
  const known = quotedKeys.get(key)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(key)}:`
  if (quotedKeys.size < MAX_QUOTED_KEYS && key.length <= MAX_KEY_LENGTH) quotedKeys.set(key, quoted)
  return quoted
}
