// What variables hold where a command stands: values that this command line gave them, and the few that are always known.
import type { WordPart as SyntaxPart, Word as SyntaxWord } from 'unbash'
import type { Word } from './shell-analysis.ts'
import type { Scope, Walk } from './walk.ts'
import { textWord } from './word.ts'

export function variableValue(walk: Walk, scope: Scope, name: string): readonly Word[] | undefined {
  const set = scope.variables.get(name)
  if (set) {
    walk.usedVariable = true
    return walk.resolves ? set : undefined
  }
  if (name === 'HOME') {
    const home = homeOf(walk)
    return home === null ? undefined : [textWord(home)]
  }
  if (name !== 'PWD') return undefined
  const base = onlyBase(scope)
  return base === null ? undefined : [textWord(base)]
}

/** null: the line sets another. */
export function homeOf({ hasOtherHome, context }: Walk): string | null {
  return hasOtherHome ? null : context.home
}

export function onlyBase(scope: Scope): string | null {
  return scope.bases?.length === 1 ? (scope.bases[0] ?? null) : null
}

/** `x='-l -a'; ls $x`: an unquoted variable alone is as many words as its value has. */
export function splitKnown(walk: Walk, word: SyntaxWord, parts: readonly SyntaxPart[], scope: Scope): readonly Word[] | null {
  const [part] = parts
  if (parts.length !== 1 || !part) return null
  const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : plainParameter(part)
  const known = name === null || scope.variables.has('IFS') ? undefined : variableValue(walk, scope, name)
  const value = known?.length === 1 ? known[0]?.value : null
  if (!value || !/[ \t\n]/.test(value) || PATTERN.test(value)) return null
  const words = value.split(/[ \t\n]+/).filter(text => text !== '')
  return words.length === 0 ? null : words.map(text => textWord(text, word.text))
}

function plainParameter(part: SyntaxPart): string | null {
  if (part.type !== 'ParameterExpansion' || part.prefix || part.index || part.operation) return null
  return part.parameter
}

/** What unquoted text makes a pattern of file names. */
const PATTERN = /[*?[\\]/

/** Whether a value is one word where it stands unquoted, and the same: neither blanks nor patterns in its text. */
export function staysWord({ value, parts }: Word): boolean {
  return value !== '' && parts.every(part => part.kind === 'glob' || (part.kind === 'text' && !/[\s*?[\\]/.test(part.value)))
}
