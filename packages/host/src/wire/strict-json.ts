// JSON from other processes. JSON.parse is lenient where a guard must not be: of a doubled key it keeps the last, `__proto__`
// slips into objects, and depth is only bounded by the stack. This refuses all three with the place.
// Whether a text has such a flaw is told by counting: a doubled key leaves fewer keys than the text has colons. Only then is the place looked
// for, which takes longer.
import { errorText } from '@belay/core/value'

export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string; readonly offset: number }

export interface JsonLimits {
  readonly maxDepth: number
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const COMMA = 44
const COLON = 58

export function parseStrictJson(text: string, { maxDepth }: JsonLimits = { maxDepth: 64 }): StrictJson {
  const pairs = countPairs(text, maxDepth)
  if (pairs === null) return explain(text, maxDepth)
  try {
    const value: unknown = JSON.parse(text)
    return countKeys(value) === pairs ? { ok: true, value } : explain(text, maxDepth)
  } catch {
    return explain(text, maxDepth)
  }
}

/** How often a key stands before a value, were the text JSON; null: a string is not closed, or it is nested too deeply. */
function countPairs(text: string, maxDepth: number): number | null {
  let pairs = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at < 0) return null
    } else if (code === COLON) pairs++
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > maxDepth) return null
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return pairs
}

/** NaN where one of them is `__proto__`. As deep as the text is nested, which is bounded. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) count += countKeys(entry)
    return count
  }
  for (const key in value) {
    if (key === '__proto__') return Number.NaN
    count += 1 + countKeys((value as Readonly<Record<string, unknown>>)[key])
  }
  return count
}

function explain(text: string, maxDepth: number): StrictJson {
  const flaw = findFlaw(text, maxDepth)
  if (flaw !== null) return { ok: false, ...flaw }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    const message = errorText(error)
    return { ok: false, problem: `not JSON: ${message}`, offset: Number(/position (\d+)/.exec(message)?.[1] ?? 0) }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** UTF-8 that is not UTF-8 is refused rather than repaired: a repaired command is another command. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

interface Flaw {
  readonly problem: string
  readonly offset: number
}

/** Strings and nesting only; whether it is JSON at all is JSON.parse's to say. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over every byte that comes in; the state is what the branches share
function findFlaw(text: string, maxDepth: number): Flaw | null {
  // One entry per open container: the keys of an object seen so far, or null for an array.
  const open: (Set<string> | null)[] = []
  let keyExpected = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (end < 0) return { problem: 'a string is not closed', offset: at }
      const keys = open[open.length - 1]
      if (keyExpected && keys) {
        const flaw = addKey(keys, text.slice(at, end + 1), at)
        if (flaw !== null) return flaw
      }
      keyExpected = false
      at = end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length >= maxDepth) return { problem: `nested deeper than ${maxDepth} levels`, offset: at }
      open.push(code === OPEN_BRACE ? new Set() : null)
      keyExpected = code === OPEN_BRACE
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop()
      keyExpected = false
    } else if (code === COMMA) {
      keyExpected = open[open.length - 1] instanceof Set
    }
  }
  return null
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) return -1
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
    at = end + 1
  }
}

function addKey(keys: Set<string>, quoted: string, offset: number): Flaw | null {
  const key = quoted.includes('\\') ? decodeKey(quoted) : quoted.slice(1, -1)
  if (key === '__proto__') return { problem: 'the key __proto__ is refused', offset }
  if (keys.has(key))
    return { problem: `the key ${quoted.length > 60 ? `${quoted.slice(0, 60)}...` : quoted} stands twice in one object`, offset }
  keys.add(key)
  return null
}

function decodeKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
