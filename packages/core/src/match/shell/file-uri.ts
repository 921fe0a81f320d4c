// A file that is named by an address: `file:///home/x`, `file:x?mode=rw`, `FILE://localhost/x`, `admin:///x`. Programs that take such addresses
// undo their percent signs, so a word that is one counts as the path it becomes.
import type { Unit, Word, WordPart } from './shell-analysis.ts'
import { dropText, leadingText, makeWord } from './word.ts'

/** What stands before the path; a name between two slashes and a third is a machine's. */
const BEFORE_PATH = /^(?:file[a-z]?:(?:\/\/[^/?#]*(?=\/)|\/\/)?|[a-z][a-z\d+.-]*:\/\/(?=\/))/i
/** The same, of which the first name may also be the beginning of the path (`file://.env`). */
const BEFORE_NAME = /^file[a-z]?:\/\/(?=[^/])/i
const MAY_BE_ADDRESS = /^[a-z][a-z\d+.-]*:/i

/** The paths that a word means as an address; none for most words. */
export function fileUriPaths(word: Word): readonly Word[] {
  const text = leadingText(word)
  if (!MAY_BE_ADDRESS.test(text)) return NO_PATHS
  const starts = [BEFORE_PATH, BEFORE_NAME].map(before => before.exec(text)?.[0].length ?? 0)
  const found = [...new Set(starts)].filter(start => start > 0).map(start => dropText(word, start).parts)
  // A question mark that is not quoted is a glob, which stays as it is where no file fits.
  const cut = word.glob ? found.map(parts => parts.slice(0, questionMark(parts))) : []
  return [...found, ...cut].map(parts => makeWord(pathParts(parts), word.source))
}

function questionMark(parts: readonly WordPart[]): number {
  const at = parts.findIndex(part => part.kind === 'glob' && part.value.startsWith('?'))
  return at < 0 ? parts.length : at
}

const NO_PATHS: readonly Word[] = []

/** Up to what is asked of the file (`?mode=rw`, `#part`). */
function pathParts(parts: readonly WordPart[]): readonly WordPart[] {
  const found: WordPart[] = []
  for (const part of parts) {
    if (part.kind !== 'text') {
      found.push(part)
      continue
    }
    const end = part.value.search(/[?#]/)
    const value = decodePercents(end < 0 ? part.value : part.value.slice(0, end))
    if (value !== '') found.push({ kind: 'text', value })
    if (end >= 0) break
  }
  return found
}

/** Leaves what is not a valid escape as it stands. A NUL ends the name. */
function decodePercents(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%00.*$/s, '').replace(/(?:%[\da-f]{2})+/gi, run => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), pair => Number.parseInt(pair, 16))
    return new TextDecoder().decode(bytes)
  })
}

/** Addresses anywhere in a text (`attach 'file:/home/%78'`). */
const ADDRESSES = /(?:file[a-z]?:|[a-z][a-z\d+.-]{0,20}:\/\/\/)[^\s'"`]*/gi

/** The same text with the percent signs of its addresses undone; null: it holds none. */
export function decodeFileUris(text: string): string | null {
  if (!text.includes('%') || !text.includes(':')) return null
  const decoded = text.replace(ADDRESSES, decodePercents)
  return decoded === text ? null : decoded
}

/** The addresses in a text, as the text says them. */
export function fileUrisIn(text: string): readonly string[] {
  return text.includes(':') ? (text.match(ADDRESSES) ?? []) : []
}

/** The command as a program reads it that undoes percent signs; null: it has none in an address. */
export function decodeUnit(unit: Unit): Unit | null {
  const { words, assignments, input } = unit
  const isEncoded = words.some(holdsEncoded) || assignments.some(({ value }) => holdsEncoded(value)) || (input && holdsEncoded(input))
  if (!isEncoded) return null
  return {
    ...unit,
    words: words.map(decodeWord),
    assignments: assignments.map(one => ({ ...one, value: decodeWord(one.value) })),
    ...(input === undefined ? {} : { input: decodeWord(input) }),
  }
}

function holdsEncoded({ parts }: Word): boolean {
  return parts.some(part => part.kind === 'text' && part.value.includes('%')) && parts.some(isAddress)
}

function isAddress(part: WordPart): boolean {
  return part.kind === 'text' && /file[a-z]?:|:\/\/\//i.test(part.value)
}

/** Where the shell fills something in, what stands behind it belongs to the same address. */
function decodeWord(word: Word): Word {
  if (!holdsEncoded(word)) return word
  const isWhole = word.parts.length === 1
  const parts = word.parts.map((part): WordPart => {
    if (part.kind !== 'text') return part
    return { kind: 'text', value: (isWhole ? decodeFileUris(part.value) : decodePercents(part.value)) ?? part.value }
  })
  return makeWord(parts, word.source)
}
