// Building and cutting words. A word is a list of parts; `value` and `glob` are read off them once, here.
import type { Word, WordPart } from './shell-analysis.ts'

export const anyWord: WordPart = { kind: 'unknown', splits: true }
export const anyText: WordPart = { kind: 'unknown', splits: false }

/** Any path below a folder, hidden ones too: what find hands over. */
export const anyBelow: WordPart = { kind: 'glob', value: '**' }

/** What a wrapper fills in at run time (`{}` of find, the arguments of xargs): no file effect of its own. */
export const suppliedText: WordPart = { kind: 'unknown', splits: false }
export const suppliedWords: WordPart = { kind: 'unknown', splits: true }

export function isSupplied(word: Word): boolean {
  return word.parts.includes(suppliedText) || word.parts.includes(suppliedWords)
}

/** Every `token` in the known text of the words becomes an unknown part (`{}` of `find -exec`). */
export function supplyToken(words: readonly Word[], token: string): readonly Word[] {
  return words.map(word => (word.parts.some(part => part.kind === 'text' && part.value.includes(token)) ? supply(word, token) : word))
}

function supply(word: Word, token: string): Word {
  const parts = word.parts.flatMap((part): WordPart[] => {
    if (part.kind !== 'text') return [part]
    return part.value
      .split(token)
      .flatMap((value, index): WordPart[] => [...(index > 0 ? [suppliedText] : []), ...(value ? [{ kind: 'text' as const, value }] : [])])
  })
  return makeWord(parts, word.source)
}

export function textWord(value: string, source: string = value): Word {
  return { value, parts: [{ kind: 'text', value }], source, glob: false }
}

export function makeWord(parts: readonly WordPart[], source: string): Word {
  let value: string | null = ''
  let glob = false
  for (const part of parts) {
    if (part.kind === 'unknown') value = null
    else if (value !== null) value += part.value
    if (part.kind === 'glob') glob = true
  }
  return { value, parts, source, glob }
}

/** The known text a word begins with. */
export function leadingText(word: Word): string {
  if (word.value !== null) return word.value
  let text = ''
  for (const part of word.parts) {
    if (part.kind === 'unknown') break
    text += part.value
  }
  return text
}

/** The word without its first `count` known characters (`--output=x` -> `x`). */
export function dropText(word: Word, count: number): Word {
  if (count === 0) return word
  if (word.value !== null && !word.glob) return textWord(word.value.slice(count), word.source)
  const parts: WordPart[] = []
  let left = count
  for (const part of word.parts) {
    if (part.kind === 'unknown' || left === 0) parts.push(part)
    else if (part.value.length > left) {
      parts.push({ kind: part.kind, value: part.value.slice(left) })
      left = 0
    } else left -= part.value.length
  }
  return makeWord(parts, word.source)
}

/** Words as one text with single blanks between, as `eval`, `ssh` and `watch` join them. */
export function joinWords(words: readonly Word[]): Word {
  const only = words[0]
  if (words.length === 1 && only) return only
  const parts: WordPart[] = []
  for (const word of words) {
    if (parts.length > 0) parts.push({ kind: 'text', value: ' ' })
    parts.push(...word.parts)
  }
  return makeWord(parts, words.map(word => word.source).join(' '))
}

const MAX_CHOICES = 64

/** One word per value of its unknown parts where all of those are known (`for f in a b`), else the word itself. */
export function wordChoices(word: Word): readonly Word[] {
  if (word.value !== null || !word.parts.some(part => part.kind === 'unknown' && part.among !== undefined)) return [word]
  let found: WordPart[][] = [[]]
  for (const part of word.parts) {
    const values = part.kind === 'unknown' ? part.among : undefined
    if (part.kind === 'unknown' && values === undefined) return [word]
    if (values && found.length * values.length > MAX_CHOICES) return [word]
    if (values) found = found.flatMap(head => values.map(value => [...head, ...value.parts]))
    else for (const head of found) head.push(part)
  }
  return found.map(parts => makeWord(parts, word.source))
}

/** Program name without its directory; of a Windows path too. */
export function baseName(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? path : path.slice(slash + 1)
}
