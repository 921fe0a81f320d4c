// xargs: the command it runs gets words from a pipe. Where the text is known, they are the words that xargs makes of it.
import { type Call, touchArgument } from './call.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { accessesOf, foundUse } from './reader/find.ts'
import type { Word, WordList } from './shell-analysis.ts'
import { splitString } from './split-string.ts'
import { makeWord, suppliedWords, supplyToken, textWord } from './word.ts'

/** The commands that run: one for all words, or one for each so many (`-n 2`), each line (`-I {}`). */
export function appendArguments(call: Call, inner: readonly Word[], parsed: ParsedArguments): readonly (readonly Word[])[] {
  const more = makeWord([suppliedWords], '...')
  const items = pipedWords(call, parsed)
  const replace = parsed.options.find(isReplacing)
  if (replace) {
    const token = replace.value?.value || '{}'
    return [supplyToken(inner, token), ...items.slice(0, MAX_RUNS).map(item => replaceToken(inner, token, item))]
  }
  const size = groupSize(parsed)
  if (items.length === 0) return [[...inner, more]]
  if (size === null)
    return [
      [...inner, more],
      [...inner, ...items, more],
    ]
  const runs: (readonly Word[])[] = []
  for (let at = 0; at < items.length && runs.length < MAX_RUNS; at += size) runs.push([...inner, ...items.slice(at, at + size)])
  return items.length > MAX_RUNS * size ? [[...inner, more], ...runs] : runs
}

const MAX_RUNS = 16

/** How many words each command gets; null: that depends on more than their number. */
function groupSize({ options }: ParsedArguments): number | null {
  if (options.some(option => /^-(?:L|l|s|x)$/.test(option.name))) return null
  const given = options.findLast(option => option.name === '-n')?.value
  if (!given) return Number.POSITIVE_INFINITY
  return /^[1-9]\d{0,5}$/.test(given.value ?? '') ? Number(given.value) : null
}

function replaceToken(words: readonly Word[], token: string, item: Word): readonly Word[] {
  return words.map(word => (word.value?.includes(token) ? textWord(word.value.replaceAll(token, item.value ?? ''), word.source) : word))
}

function isReplacing({ name }: ParsedOption): boolean {
  return name === '-I' || name === '-i' || name === '-J'
}

/** `find . -name .env | xargs cat`. */
export function touchPiped(call: Call, inner: readonly Word[], parsed: ParsedArguments): void {
  const { stdin } = call.place
  const use = foundUse(inner)
  if (use === null || parsed.options.some(option => option.name === '-a')) return
  const names = stdin.kind === 'pipe' ? stdin.names : stdin.kind === 'text' && stdin.text.value === null ? [stdin.text] : []
  for (const name of names) for (const access of accessesOf(use)) touchArgument(call, access, name, 'deny-only')
}

/** Where the words come from; nothing where their text is known, or where nobody sends any. */
export function listOf({ place: { stdin }, index }: Call, parsed: ParsedArguments): { readonly list?: WordList } {
  if (stdin.kind === 'file' || parsed.options.some(option => option.name === '-a')) return { list: 'file' }
  if (stdin.kind !== 'pipe' || (stdin.text !== null && stdin.text.value !== null)) return {}
  return stdin.from === undefined ? { list: 'file' } : { list: { from: stdin.from, to: index } }
}

/** A longer text stays what it is without this: words that are known only at run time. */
const MAX_PIPED = 4096

function pipedWords({ place: { stdin } }: Call, parsed: ParsedArguments): readonly Word[] {
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (text === null || text.value === null || text.value.length > MAX_PIPED) return []
  if (parsed.options.some(option => option.name === '-a')) return []
  const delimiter = delimiterOf(parsed)
  if (delimiter === null) return []
  if (delimiter === '') return splitString(text)
  return text.value
    .split(delimiter)
    .filter(item => item !== '')
    .map(item => textWord(item))
}

/** Empty: blanks, with quotes; null: none that is known. Whole lines are what `-I` replaces. */
function delimiterOf({ options }: ParsedArguments): string | null {
  const given = options.findLast(option => option.name === '-0' || option.name === '-d')
  if (given?.name === '-0') return '\0'
  if (given?.name === '-d') {
    const value = given.value?.value ?? null
    return value === null ? null : (DELIMITERS[value] ?? (value.length === 1 ? value : null))
  }
  return options.some(isReplacing) ? '\n' : ''
}

const DELIMITERS: Readonly<Record<string, string>> = { '\\n': '\n', '\\0': '\0', '\\t': '\t' }
