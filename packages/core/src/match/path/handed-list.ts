// A list of files that one command makes and another one changes (`tree -fia . | xargs rm`): whether Belay's may be among them. Who lists the
// names of a folder that holds none of ours is left alone, and so is one whose filter lets none of ours through. A list that nobody knows may
// name any file.
import { spend } from '../shell/meter.ts'
import type { Word, WordList } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { fileChangers } from './guarded-command.ts'
import { consumesEach } from './protect-consumed.ts'
import { foundPaths, holdsOurs, matchesName, NAMES } from './protect-find.ts'
import type { OperandContext } from './protect-operand.ts'
import { findsOurs } from './protect-search.ts'
import { searchPattern } from './search-pattern.ts'
import { optionValues } from './tree-layer.ts'
import { findRemoved } from './tree-remover.ts'

/** A command before the one that changes files, in the same pipeline. */
export interface FeedingUnit {
  readonly program: string
  readonly words: readonly Word[]
  /** It is handed names itself: `find src | xargs grep -l x | xargs rm`. */
  readonly isFed: boolean
  readonly context: OperandContext
}

/** Programs that change every file they are handed. */
export function changesFiles(program: string, words: readonly Word[]): boolean {
  if (program === 'git') return has(words, /^(?:rm|mv|checkout|restore|clean)$/)
  if (program === 'find') return has(words, /^-delete$/)
  if (/^(?:g?sed|perl|ruby)$/.test(program)) return has(words, /^(?:-[a-zA-Z]*i|--in-place)/)
  if (/^(?:npx|pnpx|bunx)$/.test(program)) return findRemoved(words[1]?.value ?? '', words.slice(1)) !== null
  return fileChangers.has(program) || WRITERS.test(program) || findRemoved(program, words) !== null || consumesEach(program, words)
}

/** `cp` and `sponge` write over what they are handed. */
const WRITERS = /^(?:cp|sponge)$/

/** `parallel rm`, `rush rm {}`: a command among their words gets each line of what they read. */
export function isHander(program: string): boolean {
  return /^(?:parallel|rush|rust-parallel|pexec|moreutils-parallel|apply)$/.test(program)
}

/** The options of who hands names on come first and are few. */
const MAX_WORDS = 24

/** Behind `:::` stand the names themselves; behind `::::` and `-a` a file with names. */
export function handedBy(words: readonly Word[], index: number): WordList | null {
  const at = words.slice(0, MAX_WORDS).findIndex((word, each) => {
    spend(words.length)
    return each > 0 && changesFiles(word.value ?? '', words.slice(each))
  })
  if (at === -1 || words.some(({ value }) => value === ':::')) return null
  return index === 0 || words.some(({ value }) => /^(?:::::|-a|--arg-?file)/.test(value ?? '')) ? 'file' : { from: 0, to: index }
}

/** They hand on some of the lines, or all of them in another order; what they are given to read is another list. */
const HANDS_ON = /^(?:sort|uniq|head|tail|tac|shuf|pv|cat)$/
const SAYS_NOTHING = /^(?:tee|sponge|true|:|cd|pushd|popd|xargs|parallel|sudo|env|nice|time|command|test|\[|sleep|wait)$/
const FILTERS = /^(?:[efz]?grep|rg|ag|ack|ugrep|ug)$/

/** Whether the last of them may hand on a file of ours. */
export function handsOurs(units: readonly FeedingUnit[]): boolean {
  const listers = units.filter(unit => !isPassing(unit) && !isFilter(unit))
  if (listers.length === 0) return true
  const filters = units.filter(unit => isFilter(unit) && !unit.isFed).map(filterOf)
  return listers.some(unit => {
    const reach = reachOf(unit)
    if (reach === 'any') return true
    return reach.length > 0 && filters.every(passes => reach.some(passes))
  })
}

function has(words: readonly Word[], pattern: RegExp): boolean {
  return words.some((word, at) => at > 0 && pattern.test(leadingText(word)))
}

function operandsOf(words: readonly Word[]): readonly Word[] {
  return words.slice(1).filter(word => !leadingText(word).startsWith('-'))
}

/** `cat x` lists what stands in x; `cut -f2` and `awk '{print $2}'` take a column. */
function isPassing({ program, words, isFed }: FeedingUnit): boolean {
  if (isFed && (FILTERS.test(program) || program === 'ls')) return true
  if (program === 'cut')
    return has(words, /^(?:-[a-zA-Z]*[fd]|--(?:fields|delimiter))/) && !operandsOf(words).some(({ value }) => /\w{2}/.test(value ?? 'any'))
  if (/^[gmn]?awk$/.test(program)) return words.length === 2 && /^\s*\{\s*print\s+\$\w+\s*;?\s*\}\s*$/.test(words[1]?.value ?? '')
  if (HANDS_ON.test(program))
    return operandsOf(words).every(({ value }) => value !== null && /^(?:-|[+-]?\d[a-zA-Z,\d]*|[,:;|])$/.test(value))
  return SAYS_NOTHING.test(program)
}

/** A pattern and no files of its own. */
function isFilter({ program, words, isFed }: FeedingUnit): boolean {
  if (!FILTERS.test(program) || isFed) return false
  return (
    operandsOf(words).length <= 1 &&
    !has(words, /^(?:-[a-zA-Z]*[rRlLf]|--(?:recursive|files|file|dereference))/) &&
    (program !== 'rg' || !has(words, /^--files/))
  )
}

function filterOf({ words }: FeedingUnit): (path: string) => boolean {
  const given = [...optionValues(words, /^(?:-e|--regexp)(?:=|$)/), ...operandsOf(words)]
  if (has(words, /^(?:-[a-zA-Z]*v|--invert)/) || given.some(({ value }) => value === null)) return () => true
  const fits = given.flatMap(({ value }) => spellings(value ?? '')).map(searchPattern)
  return path => fits.some(fit => fit(path))
}

/** Groups and choices are written in two ways. */
function spellings(pattern: string): readonly string[] {
  return [...new Set([pattern, pattern.replace(/\\([(){}|+?])/g, '$1')])]
}

/** What is ours among the names that it lists; `any`: nobody knows what it lists. */
function reachOf(unit: FeedingUnit): readonly string[] | 'any' {
  const { program, words, context } = unit
  const operands = operandsOf(words)
  switch (program) {
    case 'find':
    case 'gfind':
      return printsText(words) ? 'any' : findsOurs(program, words, context) ? namesBelow(startsOfFind(words), context) : []
    case 'fd':
    case 'fdfind':
    case 'ls':
      return findsOurs(program, words, context) ? namesBelow(program === 'ls' ? operands : operands.slice(1), context) : []
    case 'rg':
    case 'ag':
    case 'ack':
      if (!has(words, NAMES_ONLY)) return 'any'
      return has(words, /^-[a-zA-Z]*(?:uu|[.ua])|^--(?:hidden|unrestricted|no-ignore|all-types)/) || program === 'ack' ? searched(unit) : []
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'zgrep':
    case 'ugrep':
      if (!has(words, NAMES_ONLY)) return 'any'
      return has(words, /^(?:-[a-zA-Z]*[rR]|--(?:recursive|dereference-r))/) ? searched(unit) : named(operands.slice(1), context)
    case 'dir':
    case 'vdir':
    case 'exa':
    case 'eza':
    case 'lsd':
    case 'tree':
      return has(words, /^(?:-[a-zA-Z\d]*[aAf]|--(?:all|almost-all))/) && !isVisibleTree(program, words)
        ? namesBelow(operands, context)
        : []
    case 'echo':
    case 'printf':
      return operands.every(({ value, glob }) => value !== null && !glob && !/[\\%\s]/.test(value)) ? named(operands, context) : 'any'
    case 'du':
    case 'bfs':
    case 'git':
      return program === 'git' ? tracked(unit) : namesBelow(operands, context)
    default:
      return 'any'
  }
}

/** Options with which a search prints names and no lines of the files. */
const NAMES_ONLY = /^(?:-[a-zA-Z]*[lL]|-[fg]$|--(?:files(?:-with.*)?$|files-with))/

/** `find src -printf '.belay'`: text of its own, beside what stands for the file. */
function printsText(words: readonly Word[]): boolean {
  return words.some(
    ({ value }, at) => /^-f?printf$/.test(words[at - 1]?.value ?? '') && !/^(?:%[a-zA-Z@]{1,2}|\\[n0t]|[\s:|,;])*$/.test(value ?? 'any'),
  )
}

/** `-f` of tree writes whole paths; it shows no hidden ones. */
function isVisibleTree(program: string, words: readonly Word[]): boolean {
  return program === 'tree' && !has(words, /^-[a-zA-Z]*a/)
}

function startsOfFind(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word, at) => at > 0 && /^(?:[(!]|-[^HLPO])/.test(leadingText(word)))
  return operandsOf(end < 0 ? words : words.slice(0, end))
}

/** Ours, and the folders above them, as a list from these folders names them. */
function namesBelow(starts: readonly Word[], context: OperandContext): readonly string[] {
  const from = starts.length === 0 ? [textWord('.')] : starts
  if (!holdsOurs(from, context)) return []
  const paths = [...foundPaths(from, context), ...NAMES]
  return [...new Set(paths.flatMap(path => [path, ...path.split('/').map((_, at, all) => all.slice(0, at).join('/'))]))].filter(
    path => path !== '',
  )
}

/** `grep -l x *.ts`: names among those that it is given. */
function named(operands: readonly Word[], context: OperandContext): readonly string[] {
  return operands.flatMap(word => namesBelow([word], context))
}

/** A search through texts below some folders, for files that hold a pattern. */
function searched({ program, words, context }: FeedingUnit): readonly string[] {
  const operands = operandsOf(words.filter((_, at) => at === 0 || !VALUED.test(words[at - 1]?.value ?? '')))
  const hasPattern = !has(words, /^(?:--files$|-[a-zA-Z]*[ef]|--(?:regexp|file)(?:=|$))/) && !(program === 'ack' && has(words, /^-[fg]$/))
  const starts = hasPattern ? operands.slice(1) : operands
  const chosen = optionValues(words, /^(?:--include(?!-)|-g|--i?glob)(?:=|$)/).filter(
    ({ value }) => value === null || !value.startsWith('!'),
  )
  const isChosen =
    chosen.length === 0 || chosen.some(({ value }) => NAMES.some(name => value === null || matchesName(value.replace(/^.*\//, ''), name)))
  if (!isChosen) return []
  const reached = namesBelow(starts, context)
  return hasPattern && reached.length > 0 && isNowhere(operands[0], words, { starts, context }) ? [] : reached
}

/** Options of searches that are followed by a value. */
const VALUED =
  /^(?:-[a-zA-Z]*[gtTABCmMjdDG]|--(?:i?glob|type(?:-[a-z]+)?|max-[a-z]+|(?:after-|before-)?context|include|exclude[a-z-]*|threads|sortr?|colors?|encoding|engine|ignore-file|depth|pre|pre-glob|replace|ignore|ignore-dir))$/

interface Searched {
  readonly starts: readonly Word[]
  readonly context: OperandContext
}

/** Whether no file of ours in the project holds the pattern. What lies in Belay's home nobody reads for that. */
function isNowhere(pattern: Word | undefined, words: readonly Word[], { starts, context }: Searched): boolean {
  const { protectedPaths, bases, resolve } = context
  const { files, kept, roots } = protectedPaths
  if (pattern?.value == null || bases === null || has(words, /^(?:-[a-zA-Z]*[vLf]|--(?:invert|files-without|file))/)) return false
  const from = starts.length === 0 ? [textWord('.')] : starts
  const tops = from.flatMap(({ value, glob }) => (value === null || glob ? ['/'] : bases.map(base => resolve(value, base).lexical)))
  if (tops.some(top => kept.below.some(path => top === '/' || path.startsWith(`${top.replace(/\/$/, '')}/`)))) return false
  const fits = spellings(pattern.value).map(searchPattern)
  const folders = ['.belay', '.mentu', '.git/hooks', '.claude', '.codex', '.gemini', '.cursor']
  const held = roots.flatMap(root => [
    ...foundPaths([textWord(root)], context),
    ...folders.flatMap(folder => (files.names(`${root}/${folder}`) ?? []).map(({ name }) => `${root}/${folder}/${name}`)),
  ])
  return ![...new Set(held)].some(path =>
    (files.text(path) ?? '').split('\n').some(line => line.length > MAX_LINE || fits.some(fit => fit(line))),
  )
}

const MAX_LINE = 380

/** Files that git keeps, or finds beside those: the policy and the hooks may be among them. */
function tracked(unit: FeedingUnit): readonly string[] | 'any' {
  const { words, context } = unit
  const values = words.map(({ value }) => value ?? '')
  if (values.includes('grep')) return searched({ ...unit, words: words.slice(values.indexOf('grep')) })
  const chosen = values.filter(
    value => /^(?:-[a-z]+|--(?:deleted|cached|others|modified|killed|stage|unmerged|diff-filter.*))$/.test(value) && value !== '-z',
  )
  if (chosen.length === 1 && /^(?:-z?dz?|--deleted|--diff-filter=D)$/.test(chosen[0] ?? '')) return []
  const verb = words.findIndex(
    ({ value }, at) => at > 0 && /^(?:ls-files|ls-tree|status|diff|diff-tree|diff-index|diff-files|show|log)$/.test(value ?? ''),
  )
  if (verb === -1) return 'any'
  const isListed = values[verb] === 'ls-files'
  const end = values.indexOf('--')
  const paths = end > verb ? words.slice(end + 1) : isListed ? operandsOf(words.slice(verb)) : []
  const specs = paths.map(({ value }) => value)
  const isGlob = (spec: string | null): boolean => spec !== null && /[*?[]/.test(spec) && !spec.startsWith(':')
  if (specs.length > 0 && specs.every(isGlob))
    return specs.some(spec => NAMES.some(name => matchesName((spec ?? '').replace(/^.*\//, ''), name))) ? namesBelow([], context) : []
  return namesBelow(specs.length > 0 && specs.every(spec => spec !== null && !/[*?[:]/.test(spec)) ? paths : [], context)
}
