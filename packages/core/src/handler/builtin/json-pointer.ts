// JSON Pointer (RFC 6901) on plain JSON values. Changes give back a new document and leave the old one as it was.

export type Pointer = readonly string[]

/** Null: not a pointer. The empty text is the whole document. */
export function parsePointer(text: string): Pointer | null {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null
  return text
    .slice(1)
    .split('/')
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** undefined: there is nothing at that place. */
export function getAt(document: unknown, pointer: Pointer): unknown {
  let value = document
  for (const token of pointer) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) ? toIndex(token, value.length) === null : !Object.hasOwn(value, token)) return undefined
    value = (value as Record<string, unknown>)[token]
  }
  return value
}

/** Makes missing objects on the way; `-` appends to a list. Null: the way leads through something that holds no values. */
export function setAt(document: unknown, pointer: Pointer, value: unknown): { readonly document: unknown } | null {
  const [token, ...rest] = pointer
  if (token === undefined) return { document: value }
  if (Array.isArray(document)) {
    const index = token === '-' ? document.length : toIndex(token, document.length + 1)
    if (index === null) return null
    const inner = setAt(document[index] ?? {}, rest, value)
    return inner === null ? null : { document: [...document.slice(0, index), inner.document, ...document.slice(index + 1)] }
  }
  if (typeof document !== 'object' || document === null) return null
  const inner = setAt(Object.hasOwn(document, token) ? (document as Record<string, unknown>)[token] : {}, rest, value)
  return inner === null ? null : { document: withKey(document, token, inner.document) }
}

/** What is not there needs no removing. */
export function removeAt(document: unknown, pointer: Pointer): unknown {
  const [token, ...rest] = pointer
  if (token === undefined || typeof document !== 'object' || document === null) return document
  if (getAt(document, [token]) === undefined) return document
  const inner = (document as Record<string, unknown>)[token]
  if (Array.isArray(document)) {
    const index = Number(token)
    const kept = rest.length === 0 ? [] : [removeAt(inner, rest)]
    return [...document.slice(0, index), ...kept, ...document.slice(index + 1)]
  }
  if (rest.length > 0) return withKey(document, token, removeAt(inner, rest))
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== token))
}

/** Built from entries, so that `__proto__` is a key like any other. */
function withKey(document: object, key: string, value: unknown): object {
  const entries = Object.entries(document)
  const position = entries.findIndex(([name]) => name === key)
  if (position === -1) entries.push([key, value])
  else entries[position] = [key, value]
  return Object.fromEntries(entries)
}

function toIndex(token: string, length: number): number | null {
  if (!/^(?:0|[1-9]\d*)$/.test(token)) return null
  const index = Number(token)
  return index < length ? index : null
}
