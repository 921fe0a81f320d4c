// RFC 8785 (JSON Canonicalization Scheme): one text for one value, so that a hash of the text is a hash of the value.
// Invariant: never refuses what an agent could have sent. What JSON cannot hold is made fit the way JSON.stringify does it
// (undefined and functions fall away, NaN becomes null); a lone surrogate, which RFC 8785 forbids, becomes U+FFFD.

const LONE_SURROGATE = /\p{Surrogate}/gu

export function canonicalJson(value: unknown): string {
  return write(value) ?? 'null'
}

/** A JSON string literal in canonical form. */
export function quoteJson(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.includes('\\ud') ? JSON.stringify(text.replace(LONE_SURROGATE, '\ufffd')) : quoted
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoteJson(value)
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : 'null'
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
    if (written !== undefined) text += `${text === '' ? '' : ','}${quoteJson(key)}:${written}`
  }
  return `{${text}}`
}
