// Whether a text may hold a credential told by its format, in one pass and without taking it apart. Invariant as in may-hold-secret.ts:
// never no where `findTokens` finds something, in the text or in what was quoted in it.
// In quoted text the letters of an escape stand before a run (`\n`, `\u001b`): they must not hide a token, nor shift what is encoded.
import { holdingFormats, isTokenStart, matchToken } from './token-format.ts'

/** No format is shorter. */
const shortest = 20
/** Of the one format that holds nothing but a common character. */
const shortestDotted = 59
const shortestEncoded = 24

const TOKEN = 1
const ENCODED = 2
const ALPHANUMERIC = 4
const classes = new Uint8Array(128)
for (const [letters, bits] of [
  ['_-.~$:=%?&', TOKEN],
  ['+/', TOKEN | ENCODED],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', TOKEN | ENCODED | ALPHANUMERIC],
] as const)
  for (const letter of letters) classes[letter.charCodeAt(0)] = bits

const rare = holdingFormats.filter(format => format.holds !== '.').map(format => format.holds)
const dotted = /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}/

export function mayHoldToken(text: string): boolean {
  // A run this long cannot pass between two looks.
  for (let at = shortest - 1; at < text.length; at += shortest) {
    if (!isTokenChar(text, at)) continue
    let start = at
    while (start > 0 && isTokenChar(text, start - 1)) start -= 1
    while (at + 1 < text.length && isTokenChar(text, at + 1)) at += 1
    if (at + 1 - start >= shortest && isSuspicious(text, start, at + 1)) return true
  }
  return text.length >= shortest && rare.some(part => text.includes(part))
}

function isTokenChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && (classes[code] as number) > 0
}

function isSuspicious(text: string, start: number, end: number): boolean {
  const isEscaped = start > 0 && text.charCodeAt(start - 1) === 92
  let bits = 0
  let encodedFrom = start
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const isInside = (bits & ALPHANUMERIC) !== 0 && !(isEscaped && isBehindEscape(at - start))
    bits = classes[code] as number
    if (!isInside && isTokenStart(code, text.charCodeAt(at + 1)) && matchToken(text, at) !== null) return true
    if ((bits & ENCODED) !== 0) continue
    if (at - encodedFrom >= shortestEncoded && isReadable(text, encodedFrom, isEscaped && encodedFrom === start)) return true
    encodedFrom = at + 1
  }
  if (end - encodedFrom >= shortestEncoded && isReadable(text, encodedFrom, isEscaped && encodedFrom === start)) return true
  return end - start >= shortestDotted && dotted.test(text.slice(start, end))
}

/** An escape is one letter, or `u` and four digits. */
function isBehindEscape(letters: number): boolean {
  return letters === 1 || letters === 5
}

/** Whether what base64 says here begins like a text: then it may be a secret. */
function isReadable(text: string, at: number, isEscaped: boolean): boolean {
  return beginsReadable(text, at) || (isEscaped && (beginsReadable(text, at + 1) || beginsReadable(text, at + 5)))
}

const values = new Uint8Array(128)
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  values[letter.charCodeAt(0)] = value

function beginsReadable(text: string, from: number): boolean {
  for (let at = from; at < from + 16; at += 4) {
    const bytes = (valueAt(text, at) << 18) | (valueAt(text, at + 1) << 12) | (valueAt(text, at + 2) << 6) | valueAt(text, at + 3)
    if (!isPrintable(bytes >> 16) || !isPrintable((bytes >> 8) & 255) || !isPrintable(bytes & 255)) return false
  }
  return true
}

function valueAt(text: string, at: number): number {
  return values[text.charCodeAt(at) & 127] as number
}

function isPrintable(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13
}
