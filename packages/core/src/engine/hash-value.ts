// The identity of a value: SHA-256 over its canonical JSON (RFC 8785), so that key order and spacing do not count.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

export function hashValue(value: unknown): string {
  return createHash('sha256').update(toText(value)).digest('hex')
}

/** In process a value may be something JSON does not know (a cycle, a BigInt); it still needs some identity. */
function toText(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null'
  } catch {
    return String(value)
  }
}
