// Searches whose finds are changed or removed (`find . -type f -delete`, `ls -A | xargs rm -rf`): nobody names Belay's files, and they are
// taken along all the same.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { nameMatches, patternTokens } from './name-pattern.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import { searchPattern } from './search-pattern.ts'

/** Names of files that a search may come upon. */
const NAMES = [
  '.belay',
  '.mentu',
  'genesis.key',
  'hooks.toml',
  'config.toml',
  'belay.db',
  'belay-hook',
  'token',
  'daemon.sock',
  'settings.json',
]

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

function findReaches(words: readonly Word[], context: OperandContext): boolean {
  const args = words.slice(1)
  const end = args.findIndex(word => /^[-(!]/.test(leadingText(word)))
  const starts = (end < 0 ? args : args.slice(0, end)).filter(word => !/^-[HLPO]/.test(leadingText(word)))
  if (!holdsOurs(starts.length === 0 ? [textWord('.')] : starts, context)) return false
  const tests = end < 0 ? [] : args.slice(end)
  if (tests.some(word => word.value === '-empty')) return false
  const names = tests.flatMap((word, at) => (/^-i?name$/.test(tests[at - 1]?.value ?? '') && !isTurned(tests, at) ? [word] : []))
  const paths = tests.filter((_, at) => /^-i?(?:path|wholename|regex)$/.test(tests[at - 1]?.value ?? ''))
  if (paths.some(path => /belay|mentu/.test(path.value ?? ''))) return false
  const branches = 1 + tests.filter(word => /^(?:-o|-or|,)$/.test(word.value ?? '')).length
  if (names.length + paths.length < branches) return true
  return names.some(({ value }) => value === null || NAMES.some(name => matchesName(value, name)))
}

function isTurned(tests: readonly Word[], at: number): boolean {
  return /^(?:!|-not)$/.test(tests[at - 2]?.value ?? '')
}

/** A settings file counts when it is named; a search for all of its kind is ordinary work. */
function matchesName(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name
  if (name === 'settings.json' || name === 'config.toml') return false
  return nameMatches(patternTokens(pattern, true), name)
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

function holdsOurs(starts: readonly Word[], context: OperandContext): boolean {
  return starts.some(start => protectOperand('tree', start, context)?.decision === 'deny')
}
