// The identity of a value: SHA-256 over its canonical JSON, so that key order and spacing do not count.
import { canonicalJson } from '../ledger/canonical-json.ts'
import { sha256Hex } from '../ledger/hash.ts'

export function hashValue(value: unknown): string {
  return sha256Hex(toText(value))
}

/** In process a value may hold itself, which no JSON can; it still needs some identity. */
function toText(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch {
    return String(value)
  }
}
