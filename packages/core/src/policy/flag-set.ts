// A command as deny rules see it: program, flags as a set, operands in order. `rm -fr x`, `rm --force x -r` and
// `/bin/rm -r -v -f x` hold the same flags; `git -C x push` is `git push`.
import { longFlags, singleDashPrograms, valueOptionsOf } from './flag-table.ts'

export interface CommandShape {
  readonly program: string
  readonly flags: readonly string[]
  /** Flags other than options of the program as a whole (`git -C x`). */
  readonly hasOwnFlags: boolean
  /** Positions of the words that are no flags, without the program and without values of global options. */
  readonly operands: readonly number[]
  /** Among `operands`: an option of which we do not know whether it takes a value stands before it. */
  readonly uncertain: readonly number[]
}

/** `words`: null where the value is not known; a word that certainly begins with text may be given as that text. */
export function shapeOf(words: readonly (string | null)[]): CommandShape {
  const program = baseName(words[0] ?? '')
  const state: State = { program, subcommand: null, hasOwnFlags: false, flags: [], operands: [], uncertain: [] }
  const start = skipGlobalOptions(program, words, state.flags)
  let onlyOperands = false
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!onlyOperands && word === '--') onlyOperands = true
    else if (!onlyOperands && isFlag(word)) addFlag(state, word)
    else addOperand(state, words, at, onlyOperands)
  }
  return state
}

interface State extends CommandShape {
  subcommand: string | null
  hasOwnFlags: boolean
  readonly flags: string[]
  readonly operands: number[]
  readonly uncertain: number[]
}

export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === '' ? path : name
}

export function isFlag(word: string): boolean {
  return word.length > 1 && word.charCodeAt(0) === 45
}

function addOperand(state: State, words: readonly (string | null)[], at: number, onlyOperands: boolean): void {
  const before = words[at - 1] ?? ''
  const known = valueOptionsOf(state.program) !== undefined
  if (!known && !onlyOperands && at > 1 && isFlag(before) && !before.includes('=')) state.uncertain.push(at)
  state.subcommand ??= words[at] ?? ''
  state.operands.push(at)
}

/** Long flags stand for their short form; `--name=value` is there with and without its value. */
function addFlag(state: State, word: string): void {
  const { flags } = state
  state.hasOwnFlags = true
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    if (equals !== -1) flags.push(word.slice(0, equals))
    flags.push(word)
    return
  }
  if (singleDashPrograms.has(state.program)) {
    flags.push(word)
    return
  }
  flags.push(word)
  for (const letter of new Set(word.slice(1))) {
    if (word.length > 2) flags.push(`-${letter}`)
    const long = longFlags(state.program, state.subcommand, letter)
    if (long !== undefined) flags.push(...long)
  }
}

/** Options between a program and its subcommand; they count as flags and never hide the subcommand. */
function skipGlobalOptions(program: string, words: readonly (string | null)[], flags: string[]): number {
  const withValue = valueOptionsOf(program)
  if (withValue === undefined) return 1
  let at = 1
  while (at < words.length) {
    const word = words[at] ?? ''
    if (!isFlag(word) || word === '--') return at
    flags.push(word)
    at += withValue.has(word) ? 2 : 1
  }
  return at
}
