// The words of a command as the judge writes it down (normal-form.ts of core): words with blanks stand in single quotes, and what is not known
// before it runs stands there as it was written.

export interface NormalWord {
  /** null: not known, or with everything that follows. */
  readonly value: string | null
  /** Nothing in it means anything to a shell or to a pattern, so that a rule can begin with it. */
  readonly isPlain: boolean
}

const UNKNOWN: NormalWord = { value: null, isPlain: false }
const QUOTED = /^(?:\\'|'[^']*'|[^\s'"])+/
const PLAIN = /^[^\s"'`$\\|&;<>(){}*?[\]]+$/

export function wordsOfNormal(normal: string): readonly NormalWord[] {
  const words: NormalWord[] = []
  for (let rest = normal.trimStart(); rest !== ''; ) {
    const [text] = QUOTED.exec(rest) ?? []
    // A double quote is a character of a word, or the beginning of what is not known: where the word ends nobody can tell.
    if (text === undefined || rest[text.length] === '"' || rest[text.length] === "'") return [...words, UNKNOWN]
    words.push(wordOf(text))
    rest = rest.slice(text.length).trimStart()
  }
  return words
}

function wordOf(text: string): NormalWord {
  if (/[$`]/.test(text)) return UNKNOWN
  const value = text.replaceAll(/'([^']*)'|\\'/g, (_, inner?: string) => inner ?? "'")
  return { value, isPlain: PLAIN.test(text) }
}

/** What a rule says for just this word: stars and question marks in it mean themselves. null: no rule can say it. */
export function patternOfWord({ value, isPlain }: NormalWord): string | null {
  if (value === null || /[\n\r`]|\$\(/.test(value)) return null
  if (isPlain) return value
  return /[*?']/.test(value) ? value.replaceAll(/[^\w./:@=+,%-]/g, '\\$&') : `'${value}'`
}
