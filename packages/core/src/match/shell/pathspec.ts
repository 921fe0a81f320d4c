// git's path patterns (`:/a`, `:(glob)a*`, `HEAD:a`, `'.e*'`) and patterns of file names as other programs read them.
import type { Word, WordPart } from './shell-analysis.ts'
import { anyText, makeWord, textWord } from './word.ts'

/** The files that a revision or a path pattern may name; none where it leaves files out or nobody knows which it is. */
export function pathspecWords(word: Word, isPath = false): readonly Word[] {
  const { value, source } = word
  if (value === null) return isPath ? [word] : behindRevision(word)
  if (/^:[!^]|^:\([^)]*exclude/.test(value)) return []
  const path = value.replace(/^:\([^)]*\)|^:\/|^[^:]*:(?:[0-3]:)?/, '')
  const names = /^:\([^)]*icase/.test(value) ? [...new Set([path, path.toLowerCase(), path.toUpperCase()])] : [path]
  return names.flatMap(name => (/[*?[]/.test(name) ? gitPattern(name, source) : [textWord(name, source)]))
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

/**
 * A quoted pattern as the names it may stand for. Unlike the shell's, its star also begins hidden names (`'*env'` is `.env`).
 * One that only chooses an ending (`'*.ts'`) is as broad as none, and stays as it is.
 */
export function patternWords(pattern: string, source: string): readonly Word[] {
  // Behind the last `]` no bracket closes.
  const lastClose = pattern.lastIndexOf(']') + 1
  const parts = [...pattern.slice(0, lastClose).split(/(\*+|\?|\[!?\^?\]?[^\]]*\])/), ...pattern.slice(lastClose).split(/(\*+|\?)/)]
    .filter(part => part !== '')
    .map((value): WordPart => (/^[*?[]/.test(value) ? { kind: 'glob', value } : { kind: 'text', value }))
  const word = makeWord(parts, source)
  const end = /^\*+([^.*?[/].*)$/s.exec(pattern)?.[1]
  return end === undefined ? [word] : [word, makeWord([{ kind: 'text', value: '.' }, anyText, { kind: 'text', value: end }], source)]
}
