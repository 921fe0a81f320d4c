// Which signs stand in a word, as bits, found in one pass: tells at once that a word is no path, no option with a value, no code and none of
// Belay's names, so that the questions about each of these are asked only of words that may be one.
import type { Word } from './shell-analysis.ts'

export const DOT = 1
export const SLASH = 2
export const COLON = 4
export const AT = 8
export const EQUALS = 16
export const BLANK = 32
/** A sign that separates or wraps parts of a word: `,;|"'()[]{}`, and a backtick. */
export const SEPARATOR = 64
/** Letters of Belay's names, in both cases. */
const B = 256
const Y = 512
const M = 1024
const U = 2048
export const K = 4096
/** Anything beyond ASCII, and control characters: every question must be asked. */
export const OTHER = 8192
/** Neither letters, digits, nor one of `_./+-`. */
export const ODD = 16_384

const BITS: readonly (readonly [string, number])[] = [
  ['.', DOT],
  ['/', SLASH],
  [':', COLON | ODD],
  ['@', AT | ODD],
  ['=', EQUALS | ODD],
  [' ', BLANK | ODD],
  [',;|"\'`()[]{}', SEPARATOR | ODD],
  ['!#$%&*<>?\\^~', ODD],
  ['bB', B],
  ['yY', Y],
  ['mM', M],
  ['uU', U],
  ['kK', K],
]

const TABLE = makeTable()

function makeTable(): Int32Array {
  const table = new Int32Array(128)
  for (let code = 0; code < 128; code++) table[code] = code < 32 || code === 127 ? OTHER | BLANK | ODD : 0
  for (const [characters, bits] of BITS) for (const character of characters) table[character.charCodeAt(0)] = bits
  return table
}

/** All bits: nothing can be ruled out. */
export const ANY_SIGN = 32_767

export function signsOf(text: string): number {
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return ANY_SIGN
    found |= TABLE[code] as number
  }
  return found
}

const NO_WORDS: readonly Word[] = []
let lastWords = NO_WORDS
let lastSigns: readonly number[] = []

/** Of each word; the words of one command are asked about again and again. Where a word is not known to the end, anything may stand in it. */
export function wordSigns(words: readonly Word[]): readonly number[] {
  if (words === lastWords && lastSigns.length === words.length) return lastSigns
  const found: number[] = []
  for (const { value, glob } of words) found.push(value === null || glob ? ANY_SIGN : signsOf(value))
  lastWords = words
  lastSigns = found
  return found
}

/** `belay`, `mentu` or `genesis.key` may stand in it. */
export function mayNameOurs(signs: number): boolean {
  return (signs & (B | Y)) === (B | Y) || (signs & (M | U)) === (M | U) || (signs & (DOT | K | Y)) === (DOT | K | Y)
}
