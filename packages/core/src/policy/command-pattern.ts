// The pattern of a command rule, read the way the shell reads a command: `git  'push' *` is `git push *`.
import { ANY_ONE, ANY_RUN, type Glob, globOf } from '../match/glob.ts'
import { quoteWord } from './normal-form.ts'

export interface CommandPattern {
  /** Wildcards marked; the tail ` *` is not among them. */
  readonly words: readonly string[]
  /** The rule ends in ` *`: further arguments are welcome. */
  readonly open: boolean
  /** `NAME=value` before the command: the rule speaks of these assignments too. */
  readonly assignments: readonly string[]
  /** Holds `|`, `&&`, `>` ...: speaks of a whole command line, never of one unit. */
  readonly script: boolean
}

/** `pattern`: `*` and, where `question` says so, `?` are wildcards, `\*` is a star. */
export function parseCommandPattern(pattern: string, question: boolean): CommandPattern {
  const tail = /\s\*+$/.test(pattern) && !pattern.endsWith('\\*')
  const body = tail ? pattern.replace(/\s+\*+$/, '') : pattern
  const plain = !SPECIAL.test(body)
  const read = plain ? { words: body.split(/\s+/).filter(word => word !== ''), script: false } : readWords(body)
  const isWild = body.includes('*') || (question && body.includes('?'))
  const marked = plain && !isWild ? read.words : read.words.map(word => markRead(word, question))
  const first = body.includes('=') ? marked.findIndex(word => !ASSIGNMENT.test(word)) : 0
  if (first <= 0) return { words: marked, open: tail, assignments: NONE, script: read.script }
  return { words: marked.slice(first), open: tail, assignments: marked.slice(0, first), script: read.script }
}

const NONE: readonly string[] = []
const SPECIAL = /['"\\|&;<>()$`\n]/
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/
/** Stand for a literal star and question mark between reading and marking. */
const LITERAL_STAR = '\uFDD2'
const LITERAL_QUESTION = '\uFDD3'

/** Over the text that `wordsText` makes. */
export function patternGlob(words: readonly string[], open: boolean): Glob {
  const text = words.map(quoteWord).join(' ')
  return globOf(open ? `${text} ${ANY_RUN}` : text)
}

export function hasWildcard(word: string): boolean {
  return WILDCARD.test(word)
}

const WILDCARD = new RegExp(`[${ANY_RUN}${ANY_ONE}]`)

function markRead(word: string, question: boolean): string {
  const runs = word.replaceAll('*', ANY_RUN)
  const marked = question ? runs.replaceAll('?', ANY_ONE) : runs
  return marked.replaceAll(LITERAL_STAR, '*').replaceAll(LITERAL_QUESTION, '?')
}

interface ReadWords {
  readonly words: string[]
  readonly script: boolean
}

const OPERATOR = /[|&;<>\n()]/

/** Quote removal as the shell does it; wildcards act inside quotes too. Quotes that do not close are ordinary characters. */
function readWords(text: string): ReadWords {
  const words: string[] = []
  let word: string | null = null
  let script = /\$\(|`/.test(text)
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === ' ' || char === '\t') {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    if (char === '\\' && at + 1 < text.length) {
      word = (word ?? '') + escaped(text.charAt(++at))
      continue
    }
    const end = char === "'" || char === '"' ? closingQuote(text, at) : -1
    if (end !== -1) {
      word = (word ?? '') + quotedText(text.slice(at + 1, end), char)
      at = end
      continue
    }
    if (OPERATOR.test(char)) script = true
    word = (word ?? '') + char
  }
  if (word !== null) words.push(word)
  return { words, script }
}

function escaped(char: string): string {
  if (char === '*') return LITERAL_STAR
  return char === '?' ? LITERAL_QUESTION : char
}

function closingQuote(text: string, open: number): number {
  const quote = text.charAt(open)
  for (let at = open + 1; at < text.length; at++) {
    if (quote === '"' && text.charAt(at) === '\\') at++
    else if (text.charAt(at) === quote) return at
  }
  return -1
}

function quotedText(inner: string, quote: string): string {
  return quote === '"' ? inner.replace(/\\(["\\$`])/g, '$1') : inner
}
