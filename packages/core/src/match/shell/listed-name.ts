// Names that a command prints because it was told to look for them: `find . -name .env | xargs cat` reads what the first command names.
import type { CommandNode } from 'unbash'
import { expandWord } from './expand-word.ts'
import type { Word } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { anyText, leadingText, makeWord, textWord } from './word.ts'

const LISTERS: ReadonlySet<string> = new Set(['find', 'gfind', 'fd', 'fdfind', 'ls', 'locate', 'git'])
const MAX_WORDS = 64

export function listedNames(walk: Walk, node: CommandNode, place: Place): readonly Word[] {
  if (node.type !== 'Command' || !LISTERS.has(node.name?.value ?? '') || node.args.length > MAX_WORDS) return []
  const words = node.args.flatMap(arg => (arg.type === 'Word' ? expandWord(walk, arg, place.scope) : []))
  const isFind = node.name?.value.endsWith('find') === true && !node.name.value.startsWith('fd')
  return words.filter((word, at) => (isFind ? isSoughtName(words, at) : !leadingText(word).startsWith('-'))).map(soughtWord)
}

/** `-name '.e*'`, `fd '^\\.env$'`: a pattern stands for every name that begins as it does. One that may begin with anything stays as it is. */
export function soughtWord(word: Word): Word {
  const name = word.value?.replace(/^\^|\$$|\\(?=.)/g, '') ?? ''
  const start = /^[^*?[/]+/.exec(name)?.[0] ?? ''
  if (word.value === null || start === '' || name.includes('/')) return word
  return start === name ? textWord(name, word.source) : makeWord([{ kind: 'text', value: start }, anyText], word.source)
}

/** The value of a test for names that is not turned around. */
export function isSoughtName(words: readonly Word[], at: number): boolean {
  const isNamed = /^-i?(?:name|path|wholename)$/.test(words[at - 1]?.value ?? '')
  return isNamed && !/^(?:!|-not)$/.test(words[at - 2]?.value ?? '')
}
