// Credentials that are told by their format, plain or base64-encoded. Ordinary text is made of short words, so only long
// runs of the characters that tokens are made of are looked at; the formats are then tried inside the run.
import type { SecretSpan } from './secret-span.ts'
import { holdingFormats, isTokenStart, matchToken } from './token-format.ts'

/** No format is shorter. */
const shortest = 20

const isTokenChar = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~$/:+=%?&') isTokenChar[char.charCodeAt(0)] = 1

export function findTokens(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && isTokenChar[code] === 1) continue
    if (at - start >= shortest) findInRun(text.slice(start, at), start, found)
    start = at + 1
  }
  return found
}

/** The kind of a text that is one token from end to end. */
export function tokenKind(text: string): string | null {
  return findTokens(text).find(span => span.start === 0 && span.end === text.length)?.kind ?? null
}

function findInRun(run: string, offset: number, found: SecretSpan[]): void {
  findStarting(run, offset, found)
  for (const format of holdingFormats) {
    if (!run.includes(format.holds)) continue
    for (const match of run.matchAll(format.expression)) found.push(spanOf(match, offset, format.kind))
  }
  if (run.length >= shortestEncoded) findEncoded(run, offset, found)
}

function findStarting(run: string, offset: number, found: SecretSpan[]): void {
  let before = 0
  for (let at = 0; at + shortest <= run.length; at += 1) {
    const code = run.charCodeAt(at)
    const isInside = isAlphanumeric(before)
    before = code
    const match = isInside || !isTokenStart(code, run.charCodeAt(at + 1)) ? null : matchToken(run, at)
    if (match === null) continue
    found.push({ start: offset + at, end: offset + match.end, kind: match.kind })
    at = match.end - 1
    before = run.charCodeAt(at)
  }
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

const shortestEncoded = 24
const longestEncoded = 16_384
const encodedRun = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}={0,2}/g

/** A token or private key that was merely base64-encoded. */
function findEncoded(run: string, offset: number, found: SecretSpan[]): void {
  for (const match of run.matchAll(encodedRun)) {
    const encoded = match[0]
    if (encoded.length > longestEncoded || !isPrintable(decode(encoded.slice(0, 16)))) continue
    const decoded = decode(encoded)
    if (!isPrintable(decoded)) continue
    const isSecret = decoded.includes('PRIVATE KEY-----') || findTokens(decoded).length > 0
    if (isSecret) found.push(spanOf(match, offset, 'encoded-secret'))
  }
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1')
}

function isPrintable(text: string): boolean {
  return !/[^\x09\x0a\x0d\x20-\x7e]/.test(text)
}

function spanOf(match: RegExpMatchArray, offset: number, kind: string): SecretSpan {
  const start = offset + (match.index ?? 0)
  return { start, end: start + match[0].length, kind }
}
