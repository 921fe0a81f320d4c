// Brace expansion over parts that are already quote-removed: `{a,b}` and `{1..3}` become several words.
// Characters that came from quotes or escapes never act as braces, commas or dots.
import type { WordPart } from './shell-analysis.ts'

/** An active character of the source, or something that braces cannot see into. */
export type Atom = string | WordPart

/** At most this many words from one; more is left to the running shell. */
const MAX_WORDS = 256
const MAX_BRACES = 64
const MAX_ATOMS = 4096

/** The words that `atoms` expand to, or null when there are too many to list. */
export function expandBraces(atoms: readonly Atom[]): readonly (readonly Atom[])[] | null {
  const close = matchBraces(atoms)
  if (close.size > MAX_BRACES || atoms.length > MAX_ATOMS) return null
  return expandRange({ atoms, close, budget: { left: MAX_WORDS * 16 } }, 0, atoms.length)
}

interface Braces {
  readonly atoms: readonly Atom[]
  /** Index of the closing brace for each opening one that closes. */
  readonly close: ReadonlyMap<number, number>
  readonly budget: { left: number }
}

function matchBraces(atoms: readonly Atom[]): ReadonlyMap<number, number> {
  const close = new Map<number, number>()
  const open: number[] = []
  atoms.forEach((atom, index) => {
    if (atom === '{') open.push(index)
    else if (atom === '}') {
      const start = open.pop()
      if (start !== undefined) close.set(start, index)
    }
  })
  return close
}

type Expansion = readonly (readonly Atom[])[] | null

function expandRange(braces: Braces, start: number, end: number): Expansion {
  for (let index = start; index < end; index++) {
    if (braces.atoms[index] !== '{') continue
    const close = braces.close.get(index)
    if (close === undefined || close >= end) continue
    const middle = expandBrace(braces, index + 1, close)
    if (middle === undefined) continue
    const tail = middle && expandRange(braces, close + 1, end)
    if (!middle || !tail) return null
    return product(braces, [braces.atoms.slice(start, index)], middle, tail)
  }
  return [braces.atoms.slice(start, end)]
}

/** undefined: not a brace expansion, the braces stand for themselves. */
function expandBrace(braces: Braces, start: number, end: number): Expansion | undefined {
  const commas = topLevelCommas(braces, start, end)
  if (commas.length === 0) return expandSequence(braces, braces.atoms.slice(start, end))
  const words: (readonly Atom[])[] = []
  let from = start
  for (const comma of [...commas, end]) {
    const part = expandRange(braces, from, comma)
    if (!part) return null
    words.push(...part)
    from = comma + 1
  }
  return spend(braces, words.length) ? words : null
}

function topLevelCommas(braces: Braces, start: number, end: number): number[] {
  const commas: number[] = []
  for (let index = start; index < end; index++) {
    const atom = braces.atoms[index]
    if (atom === ',') commas.push(index)
    if (atom === '{') index = braces.close.get(index) ?? index
  }
  return commas
}

const NUMBERS = /^([-+]?\d{1,15})\.\.([-+]?\d{1,15})(?:\.\.([-+]?\d{1,15}))?$/
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d{1,15}))?$/

function expandSequence(braces: Braces, atoms: readonly Atom[]): Expansion | undefined {
  if (!atoms.every(atom => typeof atom === 'string')) return undefined
  const text = atoms.join('')
  const numbers = NUMBERS.exec(text)
  const range = numbers ?? LETTERS.exec(text)
  if (!range) return undefined
  const [, from = '', to = '', increment = '1'] = range
  const read = numbers ? Number : (letter: string) => letter.charCodeAt(0)
  const width = numbers && [from, to].some(edge => /^[-+]?0\d/.test(edge)) ? Math.max(from.length, to.length) : 0
  const step = Math.max(1, Math.abs(Number(increment)))
  const [first, last] = [read(from), read(to)]
  const count = Math.floor(Math.abs(last - first) / step) + 1
  if (count > MAX_WORDS || !spend(braces, count)) return null
  const write = (value: number) => (numbers ? padNumber(value, width) : String.fromCharCode(value))
  return Array.from({ length: count }, (_, index) => [...write(first + (first <= last ? index * step : -index * step))])
}

function padNumber(value: number, width: number): string {
  const digits = String(Math.abs(value))
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0')
}

function product(braces: Braces, ...lists: readonly (readonly (readonly Atom[])[])[]): Expansion {
  let words: (readonly Atom[])[] = [[]]
  for (const list of lists) {
    if (words.length * list.length > MAX_WORDS || !spend(braces, words.length * list.length)) return null
    words = words.flatMap(head => list.map(tail => [...head, ...tail]))
  }
  return words
}

function spend(braces: Braces, words: number): boolean {
  braces.budget.left -= words
  return braces.budget.left >= 0
}
