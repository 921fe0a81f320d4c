// Searches whose finds are changed or removed (`find . -type f -delete`, `ls -A | xargs rm -rf`): nobody names Belay's files, and they are
// taken along all the same.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { findReaches, holdsOurs, NAMES } from './protect-find.ts'
import type { OperandContext } from './protect-operand.ts'
import { searchPattern } from './search-pattern.ts'

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
  const [pattern, ...starts] = operands
  if (!holdsOurs(starts.length === 0 ? [textWord('.')] : starts, context)) return false
  const holds = searchPattern(pattern?.value ?? '')
  return NAMES.some(holds)
}

function lists(words: readonly Word[], context: OperandContext): boolean {
  if (!words.some(word => /^-\w*[aAf]|^--(?:all|almost-all)$/.test(word.value ?? ''))) return false
  const operands = words.slice(1).filter(word => !leadingText(word).startsWith('-'))
  return holdsOurs(operands.length === 0 ? [textWord('.')] : operands, context)
}
