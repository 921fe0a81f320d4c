// git's path patterns (`:/a`, `:(glob)a*`, `HEAD:a`, `'.e*'`) and patterns of file names as other programs read them.
import type { Word, WordPart } from './shell-analysis.ts'
import { anyText, makeWord, textWord } from './word.ts'

/** The files that a revision or a path pattern may name; none where it leaves files out or nobody knows which it is. */
export function pathspecWords(word: Word, isPath = false): readonly Word[] {
  const { value, source } = word
  if (value === null) return isPath ? [word] : behindRevision(word)
  if (isExclusion(value)) return []
  const path = value.replace(/^:\([^)]*\)|^:\/:?|^[^:]*:(?:[0-3]:)?/, '')
  const names = /^:\([^)]*icase/.test(value) ? [...new Set([path, path.toLowerCase(), path.toUpperCase()])] : [path]
  return names.flatMap(name => (/[*?[]/.test(name) ? gitPattern(name, source) : [textWord(name, source)]))
}

function isExclusion(value: string): boolean {
  return /^:\/?[!^]|^:\([^)]*exclude/.test(value)
}

/** Operands that are path patterns for certain, beside what they are as plain names. Where some only leave files out, all others are meant. */
export function pathspecOperands(operands: readonly Word[], ignoresCase: boolean): readonly Word[] {
  const known = operands.flatMap(word => word.value ?? [])
  const all = known.length > 0 && known.length === operands.length && known.every(isExclusion) ? [textWord('.')] : []
  return [...operands.flatMap(word => [word, ...namedPaths(word, ignoresCase)]), ...all]
}

function namedPaths(word: Word, ignoresCase: boolean): readonly Word[] {
  const { value, source } = word
  if (value === null) return []
  const path = ignoresCase && !value.startsWith(':') ? `:(icase)${value}` : value
  return /^:|[*?[]/.test(path) ? pathspecWords(textWord(path, source), true) : []
}

/** To git a star is any text, also a hidden name and what lies in folders: `'*.env'` is `.env`. */
function gitPattern(pattern: string, source: string): readonly Word[] {
  const end = /^\*+(\.[\w.-]+)$/.exec(pattern)?.[1]
  const words = patternWords(pattern, source)
  return end === undefined ? words : [...words, textWord(end, source)]
}

/** `"$commit:.env"`: what stands behind the colon is a path, whatever the commit is. */
function behindRevision({ parts, source }: Word): readonly Word[] {
  const at = parts.findIndex(part => part.kind === 'text' && part.value.includes(':'))
  const part = parts[at]
  if (part === undefined || part.kind !== 'text') return []
  const rest = part.value.slice(part.value.indexOf(':') + 1)
  const path: readonly WordPart[] = [...(rest === '' ? [] : [{ kind: 'text', value: rest } as const]), ...parts.slice(at + 1)]
  return path.length === 0 ? [] : [makeWord(path, source)]
}

/** No path is longer; a longer pattern may stand for any. */
const MAX_PATTERN = 4096

/**
 * A quoted pattern as the names it may stand for. Unlike the shell's, its star also begins hidden names (`'*env'` is `.env`).
 * One that only chooses an ending (`'*.ts'`) is as broad as none, and stays as it is.
 */
export function patternWords(pattern: string, source: string): readonly Word[] {
  if (pattern.length > MAX_PATTERN) return [makeWord([anyText], source)]
  // Behind the last `]` no bracket closes.
  const lastClose = pattern.lastIndexOf(']') + 1
  const parts = [...pattern.slice(0, lastClose).split(/(\*+|\?|\[!?\^?\]?[^\]]*\])/), ...pattern.slice(lastClose).split(/(\*+|\?)/)]
    .filter(part => part !== '')
    .map((value): WordPart => (/^[*?[]/.test(value) ? { kind: 'glob', value } : { kind: 'text', value }))
  const word = makeWord(parts, source)
  const end = /^\*+([^.*?[/].*)$/s.exec(pattern)?.[1]
  if (end !== undefined) return [word, makeWord([{ kind: 'text', value: '.' }, anyText, { kind: 'text', value: end }], source)]
  // One sign that may be the dot: `?env`, `[.]env`, `src/?env`.
  const dotted = pattern.replace(/(^|\/)(?:\?|\[(?:[!^]|[^\]]*\.)[^\]]*\])(?=[^/]*$)/, '$1.')
  return dotted === pattern || !/\w/.test(dotted) ? [word] : [word, ...patternWords(dotted, source)]
}
