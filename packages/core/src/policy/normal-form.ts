// The text that command rules are compared with: words after quote removal, single blanks between them, words that hold
// blanks quoted again, so that `echo 'x --force'` cannot pass for `* --force`.
import { ANY_ONE, ANY_RUN, type PartlyKnownText } from '../match/glob.ts'
import type { Word } from '../match/shell/shell-analysis.ts'

/** Quotes only what would otherwise read as something else: blanks, quotes, nothing at all. */
export function quoteWord(value: string): string {
  if (value !== '' && !NEEDS_QUOTES.test(value)) return value
  return `'${value.replaceAll("'", "'\\''")}'`
}

const NEEDS_QUOTES = /[\s']/
const MARKS = new RegExp(`[${ANY_RUN}${ANY_ONE}]`)

/** How glob characters of a command (`ls *.ts`) are read: as themselves, or as an unknown part that the file system fills. */
export type GlobReading = 'literal' | 'unknown'

export function wordsText(words: readonly Word[], globs: GlobReading): PartlyKnownText {
  const text = new TextBuilder()
  for (const word of words) addWord(text, word, globs)
  return text.finish()
}

/** A word known to the last character, or null. */
export function knownValue(word: Word): string | null {
  return word.value === null || MARKS.test(word.value) ? null : word.value
}

/** What a word that is not known to the end certainly begins with. */
export function knownStart(word: Word | undefined): string {
  const first = word?.parts[0]
  return first?.kind === 'text' && !MARKS.test(first.value) ? first.value : ''
}

function addWord(text: TextBuilder, word: Word, globs: GlobReading): void {
  const known = knownValue(word)
  if (known !== null && (!word.glob || globs === 'literal')) {
    text.addWord(quoteWord(known))
    return
  }
  if (isAnyWords(word)) {
    text.addOptionalUnknown()
    return
  }
  text.startWord()
  const quoted = word.parts.some(part => part.kind === 'text' && /\s/.test(part.value))
  if (quoted) text.add("'")
  for (const part of word.parts) {
    if (part.kind === 'unknown' || (part.kind === 'glob' && globs === 'unknown') || MARKS.test(part.value)) text.addUnknown()
    else text.add(part.value)
  }
  if (quoted) text.add("'")
}

/** `$x`, `$(...)`, `$@` alone: any number of words. */
function isAnyWords(word: Word): boolean {
  const [part] = word.parts
  return word.parts.length === 1 && part?.kind === 'unknown' && part.splits
}

class TextBuilder {
  readonly #chunks: string[] = []
  readonly #soft: boolean[] = []
  #chunk = ''
  #empty = true

  addWord(word: string): void {
    this.#chunk += this.#empty ? word : ` ${word}`
    this.#empty = false
  }

  startWord(): void {
    if (!this.#empty) this.#chunk += ' '
    this.#empty = false
  }

  add(text: string): void {
    this.#chunk += text
  }

  addUnknown(): void {
    this.#endChunk(false)
  }

  /** Two in a row are one. */
  addOptionalUnknown(): void {
    if (this.#chunk === '' && this.#soft.at(-1) === true) return
    this.#endChunk(!this.#empty)
    this.#empty = false
  }

  finish(): PartlyKnownText {
    return { chunks: [...this.#chunks, this.#chunk], soft: this.#soft }
  }

  #endChunk(soft: boolean): void {
    this.#chunks.push(this.#chunk)
    this.#soft.push(soft)
    this.#chunk = ''
  }
}
