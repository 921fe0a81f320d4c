// Tokens that are told by their format only once the text is read as a shell or a server reads it: pieces in quotes put together
// (`gh'p_...'`), letters written as %5F. The text is read so once, and what is found there is marked where it stands.
import { findTokens } from './find-token.ts'
import { mayHoldToken } from './may-hold-token.ts'
import type { SecretSpan } from './secret-span.ts'

/** A quote inside a word, or an encoded character; in JSON a quote has a backslash before it. */
const DISGUISE = /[A-Za-z0-9_.-](?:'|\\*"|\\)+[A-Za-z0-9_.-]|%[2-7][0-9A-Fa-f]/
const PIECE = /['"\\]+|%[2-7][0-9A-Fa-f]/g

export function mayHoldDisguised(text: string): boolean {
  return DISGUISE.test(text) && mayHoldToken(readThrough(text).view)
}

export function findDisguised(text: string): SecretSpan[] {
  if (!DISGUISE.test(text)) return []
  const { view, places } = readThrough(text)
  const spans = findTokens(view).map(({ start, end, kind }) => ({ start: placeOf(places, start), end: placeOf(places, end - 1) + 1, kind }))
  // A plain one is found as it stands.
  return spans
    .map(span => ({ ...span, end: endOfPiece(text, span.end) }))
    .filter(({ start, end }) => /['"\\%]/.test(text.slice(start, end)))
}

interface Place {
  /** From this place of the view on, a character stands so far behind its place there. */
  readonly from: number
  readonly shift: number
}

function readThrough(text: string): { readonly view: string; readonly places: readonly Place[] } {
  const places: Place[] = []
  let view = ''
  let at = 0
  for (const match of text.matchAll(PIECE)) {
    view += text.slice(at, match.index)
    if (match[0].startsWith('%')) view += String.fromCharCode(Number.parseInt(match[0].slice(1), 16))
    at = match.index + match[0].length
    places.push({ from: view.length, shift: at - view.length })
  }
  return { view: view + text.slice(at), places }
}

function placeOf(places: readonly Place[], at: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle]?.from ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return at + (places[low - 1]?.shift ?? 0)
}

/** An encoded character at the end is three long, and its place is that of its first. */
function endOfPiece(text: string, end: number): number {
  return /^%[2-7][0-9A-Fa-f]/.test(text.slice(end - 1, end + 2)) ? end + 2 : end
}
