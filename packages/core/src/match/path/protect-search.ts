// Searches whose finds are changed or removed (`find . -type f -delete`, `ls -A | xargs rm -rf`): nobody names Belay's files, and they are
// taken along all the same.

import { patternWords } from '../shell/pathspec.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { nameMatches, patternTokens } from './name-pattern.ts'
import { findReaches, holdsOurs, NAMES, secretsBelow } from './protect-find.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import { searchPattern } from './search-pattern.ts'
import { optionValues } from './tree-layer.ts'

/** Whether what the command lists, or hands over, may be Belay's. */
export function findsOurs(program: string, words: readonly Word[], context: OperandContext): boolean {
  if (program === 'find' || program === 'gfind') return findReaches(words, context)
  if (program === 'fd' || program === 'fdfind') return searchReaches(words, /^-\w*[Hu]|^--(?:hidden|unrestricted|no-ignore)/, context)
  if (program === 'rg') return words.some(word => word.value === '--files') && searchReaches(words, /^-\w*(?:uu|\.)|^--hidden/, context)
  if (program === 'ls') return lists(words, context)
  return false
}

/** The action of a search that does more than look, by itself. */
export function removesFound(words: readonly Word[]): boolean {
  return words.some(word => word.value === '-delete')
}

/** fd and rg leave hidden files out unless they are told not to. */
function searchReaches(words: readonly Word[], hidden: RegExp, context: OperandContext): boolean {
  if (!words.some(word => hidden.test(word.value ?? ''))) return false
  const end = words.findIndex(word => /^(?:-[xX]|--exec.*)$/.test(word.value ?? ''))
  const operands = (end < 0 ? words.slice(1) : words.slice(1, end)).filter(word => !leadingText(word).startsWith('-'))
  // `rg --files` has no pattern.
  const hasPattern = !words.some(word => word.value === '--files')
  const [pattern, starts] = hasPattern ? [operands[0], operands.slice(1)] : [undefined, operands]
  if (!holdsOurs(starts.length === 0 ? [textWord('.')] : starts, context)) return false
  const holds = searchPattern(pattern?.value ?? '')
  return NAMES.some(holds)
}

function lists(words: readonly Word[], context: OperandContext): boolean {
  if (!words.some(word => /^-\w*[aAf]|^--(?:all|almost-all)$/.test(word.value ?? ''))) return false
  const operands = words.slice(1).filter(word => !leadingText(word).startsWith('-'))
  return holdsOurs(operands.length === 0 ? [textWord('.')] : operands, context)
}

/** Options by which a search through texts chooses files: a pattern of names, and a regular expression. */
const CHOOSE_FILES = /^(?:--include(?!-)|-g|--i?glob|--type-add|--type-set)(?:=|$)/
const CHOOSE_BY_REGEX = /^(?:-G|--file-search-regex)(?:=|$)/
const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|ugrep|ug)$/

/**
 * `grep -rh . ~ --include=token`, `rg '' -g token ~`, `git grep --no-index . '.bel*'`: the files of a search are chosen by name, and those are
 * Belay's keys and tokens. A search through everything is not aimed at them.
 */
export function searchesSecrets(program: string, words: readonly Word[], context: OperandContext): boolean {
  if (program === 'git') return searchesOutside(words, context)
  if (!SEARCHES.test(program)) return false
  const chosen = [
    ...optionValues(words, CHOOSE_FILES).map(({ value }) => globFits(value)),
    ...(program === 'ag' ? optionValues(words, CHOOSE_BY_REGEX).map(({ value }) => searchPattern(value ?? '')) : []),
  ].filter(fits => !fits(ORDINARY))
  if (chosen.length === 0) return false
  const starts = words.slice(1).filter(word => !leadingText(word).startsWith('-'))
  return secretsBelow([...starts, textWord('.')], context).some(path => chosen.some(fits => fits(path)))
}

const ORDINARY = '/x/ordinary/name.txt'

/** A name, or the end of a path. `!x` leaves out, and says nothing. */
function globFits(value: string | null): (path: string) => boolean {
  // What only the shell knows may be aimed.
  if (value === null) return path => path !== ORDINARY
  const glob = value.replace(/^[\w-]+:(?:is|glob|match):?|^\w+:/, '').replace(/^\/+/, '')
  if (glob.startsWith('!')) return () => false
  const tokens = patternTokens(glob.includes('/') ? `*/${glob.replace(/^(?:\*\*?\/)+/, '')}` : glob, true)
  return path => nameMatches(tokens, glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1))
}

/** git searches files that it does not keep; its star goes into folders. */
function searchesOutside(words: readonly Word[], context: OperandContext): boolean {
  const isOutside =
    words.some(({ value }) => value === 'grep') && words.some(({ value }) => /^--(?:no-index|untracked|no-exclude)/.test(value ?? ''))
  if (!isOutside) return false
  return words
    .slice(1)
    .filter(({ value }) => value !== null && /^[.~/][^*?[]*[*?[]/.test(value))
    .flatMap(({ value, source }) => patternWords(value ?? '', source))
    .some(word => protectOperand('tree', word, context) !== null)
}
