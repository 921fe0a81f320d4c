// Programs that remove or replace what they are given once it is packed or copied (`gzip -r ~`, `zip -rm x.zip ~`, `tar --remove-files`): a
// tree that holds Belay's files loses them, though nobody names them.
import { expandBraces } from '../shell/expand-braces.ts'
import type { Word, WordPart } from '../shell/shell-analysis.ts'
import { dropText, leadingText, makeWord, textWord } from '../shell/word.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'
import { findRemoved } from './tree-remover.ts'

/** Options of any program that say so. */
const REMOVES = /^(?:--?(?:remove-(?:files|source-files|sent-files)|delete-(?:source|input|original)s?(?:-files)?)|-sdel)$/
/** Keep each file unless they are told not to. */
const KEEPERS = /^(?:zstd|zstdmt|pzstd|unzstd|lz4|unlz4|brotli)$/
/** Replace each file by its packed form unless they are told to keep it. */
const REPLACES = /^(?:gzip|gunzip|pigz|unpigz|bzip2|bunzip2|pbzip2|lbzip2|xz|unxz|pixz|lzma|lzip|plzip|compress|uncompress|rzip|lrzip)$/
const KEEPS = /^(?:-(?=[a-zA-Z\d]*$)[^kctl]*[kctl].*|--(?:keep|stdout|to-stdout|test|list))$/
const RECURSIVE = /^(?:-(?=[a-zA-Z\d]*$)[^rR]*[rR].*|--recursive)$/
const MOVING_ZIP = /^(?:-(?=[a-zA-Z]*$)[^m]*m.*|--move)$/
const MOVING_RAR = /^(?:mf?|-d[frw])$/
const PATTERNS = /^(?:mmv|mcp|mad|mln)$/

export function protectConsumed(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  if (!consumes(program, words)) return null
  const list = words.find((word, at) => at > 0 && /^(?:-[a-zA-Z]*T|--files-from|-@$)/.test(leadingText(word)))
  if (list !== undefined) return { decision: 'ask', reason: `${program} takes away the files of a list that may name Belay's` }
  const isElsewhere = words.some(word => /^(?:-\w*C|--directory)/.test(leadingText(word)))
  for (const word of words.slice(1)) {
    const tree = operandOf(program, word)
    // Behind `tar -C x` a dot is x.
    if (tree === null || (isElsewhere && /^\.\/?$/.test(tree.value ?? ''))) continue
    const found = protectOperand('tree', tree, context)
    if (found !== null) return { decision: 'ask', reason: `${program} would take files away from below ${word.source}: ${found.reason}` }
  }
  return null
}

/** Where a program removes whole trees. */
export function protectRemoved(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const removed = findRemoved(program, words)
  if (removed === null) return null
  for (const tree of removed.trees) {
    const trees = removed.readsGlobs && tree.value !== null ? patternsOf(tree.value, tree.source) : [tree]
    const found = trees.map(each => protectOperand('tree', each, context)).find(each => each !== null)
    if (found !== undefined) return { decision: 'ask', reason: `${program} would remove what lies below ${tree.source}: ${found.reason}` }
  }
  return null
}

/** Whether it takes away, or replaces, each file that it is handed. */
export function consumesEach(program: string, words: readonly Word[]): boolean {
  const keeps = words.some(({ value }) => KEEPS.test(value ?? ''))
  return REPLACES.test(program) ? !keeps : consumes(program, words)
}

function consumes(program: string, words: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => words.some(({ value }, at) => at > 0 && value !== null && pattern.test(value))
  if (PATTERNS.test(program) || has(REMOVES)) return true
  if (REPLACES.test(program)) return has(RECURSIVE) && !has(KEEPS)
  if (KEEPERS.test(program)) return has(/^(?:--rm|-[a-zA-Z]*j)$/)
  if (program === 'zip') return has(MOVING_ZIP)
  return program === 'rar' && has(MOVING_RAR)
}

/** mmv and its like read globs themselves. */
function operandOf(program: string, word: Word): Word | null {
  const text = leadingText(word)
  if (!text.startsWith('-')) return PATTERNS.test(program) && word.value !== null ? globsOf(word.value, word.source) : word
  const end = text.indexOf('=')
  if (end > 0) return dropText(word, end + 1)
  return /^-C./.test(text) ? dropText(word, 2) : null
}

/** Braces are choices, `[.]` is a dot. */
function patternsOf(text: string, source: string): readonly Word[] {
  const choices = text.length > MAX_PATTERN ? null : expandBraces([...text])
  return choices === null
    ? [globsOf('*', source), textWord('.')]
    : choices.map(atoms => globsOf(atoms.join('').replaceAll('[.]', '.'), source))
}

/** No path is longer. */
const MAX_PATTERN = 4096

function globsOf(text: string, source: string): Word {
  if (text.length > MAX_PATTERN) return makeWord([{ kind: 'glob', value: '*' }], source)
  const parts = text
    .split(/([*?;]+|\[[^\]]*\])/)
    .filter(value => value !== '')
    .map((value): WordPart => (/^[*?[;]/.test(value) ? { kind: 'glob', value: value.replaceAll(';', '*') } : { kind: 'text', value }))
  return makeWord(parts, source)
}
