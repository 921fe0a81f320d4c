// A command as deny rules see it: program, flags as a set, operands in order. `rm -fr x`, `rm --force x -r` and
// `/bin/rm -r -v -f x` hold the same flags; `git -C x push` is `git push`.
import { type Command, factsOf } from '../match/shell/table/facts.ts'
import { longFlags, singleDashPrograms, valueOptionsOf } from './flag-table.ts'

export interface CommandShape {
  readonly program: string
  readonly flags: readonly string[]
  /** Flags other than options of the program as a whole (`git -C x`). */
  readonly hasOwnFlags: boolean
  /** Positions of the words that are no flags, without the program and without values of global options. */
  readonly operands: readonly number[]
  /** Among `operands`: certainly the value of the option before it. */
  readonly values: readonly number[]
  /** Among `operands`: an option of which we do not know whether it takes a value stands before it. */
  readonly uncertain: readonly number[]
  /** What is known of the sub-command. */
  readonly command: Command | undefined
}

/** Flags of which only the beginning is known, by position; `many`: each may become several words. */
export type OpenFlags = ReadonlyMap<number, 'one' | 'many'>

/** `words`: null where the value is not known; of a word in `open` its beginning. */
export function shapeOf(words: readonly (string | null)[], open?: OpenFlags): CommandShape {
  const program = baseName(words[0] ?? '')
  const state = startState(program)
  let onlyOperands = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    const openness = onlyOperands ? undefined : open?.get(at)
    if (openness !== undefined) addOpenFlag(state, word, openness === 'many' ? at : null)
    else if (!onlyOperands && word === '--') {
      onlyOperands = true
      state.next = 'no'
    } else if (!onlyOperands && isFlag(word)) addFlag(state, word)
    else addOperand(state, words[at] ?? null, at)
  }
  return state
}

/** Whether the next word is the value of an option; `switch`: of one that takes none. */
type Next = 'value' | 'maybe' | 'switch' | 'no'

interface State extends CommandShape {
  command: Command | undefined
  /** Sub-commands are still being read. */
  descends: boolean
  /** Which sub-command it is, is certain. */
  isSure: boolean
  next: Next
  subcommand: string | null
  hasOwnFlags: boolean
  readonly hasGlobals: boolean
  readonly flags: string[]
  readonly operands: number[]
  readonly values: number[]
  readonly uncertain: number[]
}

function startState(program: string): State {
  const command = factsOf(program)
  const descends = command !== undefined && command.children.size > 0
  return {
    program,
    command,
    descends,
    isSure: true,
    next: 'no',
    subcommand: null,
    hasOwnFlags: false,
    hasGlobals: descends || valueOptionsOf(program) !== undefined,
    flags: [],
    operands: [],
    values: [],
    uncertain: [],
  }
}

export function baseName(path: string): string {
  // Most names have none, which is told sooner.
  if (!path.includes('/')) return path
  const slash = path.lastIndexOf('/')
  return slash === path.length - 1 ? path : path.slice(slash + 1)
}

export function isFlag(word: string): boolean {
  return word.length > 1 && word.charCodeAt(0) === 45
}

function addOperand(state: State, word: string | null, at: number): void {
  // A switch may be told so: `npm --force true publish`. `cargo +nightly publish` names a toolchain.
  const isSetting = state.next === 'switch' ? word === 'true' || word === 'false' : at === 1 && word?.startsWith('+') === true
  const next: Next = isSetting ? 'maybe' : state.next
  state.next = 'no'
  if (next === 'value') {
    // Values of global options never hid the sub-command.
    if (state.subcommand === null) return
    state.values.push(at)
    state.operands.push(at)
    return
  }
  if (next === 'maybe') state.uncertain.push(at)
  state.operands.push(at)
  if (next !== 'maybe') state.subcommand ??= word ?? ''
  if (state.descends) descend(state, word, next)
}

function descend(state: State, word: string | null, next: Next): void {
  const child = word === null ? undefined : state.command?.child(word)
  if (next === 'maybe') state.isSure = false
  if (child !== undefined) state.command = child
  else if (next !== 'maybe') state.descends = false
}

/** Long flags stand for their short form; `--name=value` is there with and without its value. */
function addFlag(state: State, word: string): void {
  const { flags } = state
  state.hasOwnFlags ||= state.subcommand !== null || !state.hasGlobals
  state.next = nextAfter(state, word)
  flags.push(word)
  if (word.startsWith('--') || singleDashPrograms.has(state.program)) {
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (equals !== -1) flags.push(name)
    addSynonyms(state, name)
    return
  }
  for (const letter of new Set(word.slice(1))) {
    if (word.length > 2) flags.push(`-${letter}`)
    const long = longFlags(state.program, state.subcommand, letter)
    if (long !== undefined) flags.push(...long)
    addSynonyms(state, `-${letter}`)
  }
}

/** It may be any option that begins so, and hold its value or not. `at`: where the words stand that it may become. */
function addOpenFlag(state: State, start: string, at: number | null): void {
  addFlag(state, start)
  state.next = start.includes('=') ? 'no' : 'maybe'
  if (at !== null) state.operands.push(at)
}

function addSynonyms({ command, flags }: State, name: string): void {
  for (const other of command?.option(name)?.names ?? []) if (other !== name) flags.push(other)
}

function nextAfter(state: State, word: string): Next {
  const next = word.startsWith('--') || singleDashPrograms.has(state.program) ? afterLong(state, word) : afterCluster(state, word)
  return next === 'value' && !state.isSure ? 'maybe' : next
}

function afterLong(state: State, word: string): Next {
  if (word.includes('=')) return 'no'
  return arityOf(state, word) ?? 'maybe'
}

/** `-Dl debug`: the last letter decides, unless one before it takes the rest as its value. */
function afterCluster(state: State, word: string): Next {
  if (/^-\d+$/.test(word)) return 'no'
  const whole = arityOf(state, word)
  if (whole !== undefined || word.length === 2) return whole ?? 'maybe'
  for (let index = 1; index < word.length - 1; index++) {
    const arity = state.command?.option(`-${word.charAt(index)}`)?.arity
    if (arity === 'value' || arity === 'glued') return 'no'
  }
  return arityOf(state, `-${word.charAt(word.length - 1)}`) ?? 'maybe'
}

function arityOf({ command, program, subcommand }: State, name: string): Next | undefined {
  const arity = command?.option(name)?.arity
  if (arity !== undefined) return arity === 'value' ? 'value' : 'switch'
  // Written by hand, for the program as a whole.
  const isGlobal = subcommand === null || command === undefined || !command.isSure
  return isGlobal && valueOptionsOf(program)?.has(name) === true ? 'value' : undefined
}
