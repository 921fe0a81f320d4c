// Belay's program under another name: copied, linked, given an alias, or found by a glob. What it is told then is told to nobody we know.
import type { Word } from '../shell/shell-analysis.ts'
import { isOwnFile, isOwnName } from './own-name.ts'
import type { OperandContext } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'
import { wordSegments } from './word-segments.ts'

const COPIERS: ReadonlySet<string> = new Set(['cp', 'ln', 'link', 'mv', 'install', 'rsync', 'ditto'])
const NAMERS: ReadonlySet<string> = new Set(['alias', 'hash'])

export function protectAlias(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const [head] = words
  if (head?.glob === true && mayBeOwnName(head)) {
    return { decision: 'ask', reason: `${head.source} may become Belay's own program; write its name` }
  }
  const sources = COPIERS.has(program) ? words.slice(1, -1) : NAMERS.has(program) ? words.slice(1) : []
  const own = sources.find(word => isOwnProgram(word, context))
  if (own === undefined) return null
  return { decision: 'ask', reason: `${program} gives Belay's program ${own.source} another name` }
}

function isOwnProgram(word: Word, { bases, protectedPaths }: OperandContext): boolean {
  if (word.value === null) return false
  if (word.glob) return mayBeOwnName(word)
  const [command = ''] = word.value.replace(/^[\w.-]+=/, '').split(/\s+/)
  return isOwnName(command) || isOwnFile(word.value, bases, protectedPaths.ownFiles)
}

/** Aimed at it: a bare star is not. */
function mayBeOwnName(word: Word): boolean {
  const name = wordSegments(word, { base: null, caseInsensitive: true, yieldsHidden: false }).segments.at(-1)
  return name !== undefined && /\w/.test(name.text) && NAMES.some(own => name.matches(own))
}

const NAMES = ['belay', 'mentu', 'belay.cjs', 'belay.mjs']
