// Reads a program's arguments by its option list: clusters, glued values, `--name=value`, cut-short long names, `--`.
import type { Word } from './shell-analysis.ts'
import type { Command } from './table/facts.ts'
import { type Option, type OptionSet, type Program, readOptions } from './table/program.ts'
import { dropText, leadingText } from './word.ts'

export interface ParsedOption {
  readonly name: string
  /** As it stands in the command, without a value: `-pe`, `--eval`. */
  readonly written: string
  readonly use: Option['use']
  readonly value: Word | null
}

export interface ParsedArguments {
  readonly options: readonly ParsedOption[]
  /** Positions in `words`. */
  readonly operands: readonly number[]
  /** Options that the list does not know. */
  readonly unknowns: readonly string[]
  /** Among `operands`: may be the value of such an option. */
  readonly uncertain: readonly number[]
}

/** Arguments `words[from..]`; `stopAt` operands end the options for programs that stop there. */
export function parseOptions(program: Program, words: readonly Word[], from: number, facts?: Command): ParsedArguments {
  const set = readOptions(program.options ?? '')
  const state: State = { program, set, facts, words, at: from, options: [], operands: [], unknowns: [], uncertain: [] }
  const stopAfter = program.stops || program.operands === 'command' ? (program.skip ?? 0) : Number.POSITIVE_INFINITY
  while (state.at < words.length) {
    const word = words[state.at] as Word
    const text = leadingText(word)
    if (text === '--' && word.value !== null) {
      state.at++
      break
    }
    if (text.length > 1 && text.charCodeAt(0) === 45) {
      readOption(state, word, text)
      // What follows belongs to the module.
      if (state.options.at(-1)?.use === 'module') break
    } else {
      // What may be the value of an option does not end the options.
      if (state.operands.length >= stopAfter && !state.uncertain.includes(state.at)) break
      state.operands.push(state.at++)
      if (endsAtImage(state)) break
    }
  }
  for (; state.at < words.length; state.at++) state.operands.push(state.at)
  return state
}

/** `docker run --entrypoint rm alpine -rf x`: behind the image nothing is for the launcher. kubectl takes the image by an option. */
function endsAtImage({ program, set, operands, uncertain }: State): boolean {
  return program.skipUse === 'image' && !set.byName.has('--image') && operands.length > uncertain.length
}

interface State extends ParsedArguments {
  readonly program: Program
  readonly set: OptionSet
  readonly facts: Command | undefined
  readonly words: readonly Word[]
  at: number
  readonly options: ParsedOption[]
  readonly operands: number[]
  readonly unknowns: string[]
  readonly uncertain: number[]
}

function readOption(state: State, word: Word, text: string): void {
  state.at++
  if (text.startsWith('--') || state.program.singleDash) readLong(state, word, text)
  else readCluster(state, word, text)
}

function readLong(state: State, word: Word, text: string): void {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const option = findLong(state, name)
  if (!option) {
    readUnknown(state, name, equals >= 0)
    return
  }
  const glued = equals < 0 ? null : dropText(word, equals + 1)
  state.options.push({
    name: option.name,
    written: name,
    use: option.use,
    value: glued ?? (takesValue(option) ? takeNext(state, option) : null),
  })
}

/** The program itself may say what no list of ours does: whether a value follows. */
function readUnknown(state: State, name: string, isGlued: boolean): void {
  const arity = state.facts?.option(name)?.arity
  if (arity === undefined) state.unknowns.push(name)
  if (isGlued || arity === 'flag' || arity === 'glued') return
  if (arity === 'value') state.at++
  else state.uncertain.push(state.at)
}

function findLong(state: State, name: string): Option | undefined {
  const exact = state.set.byName.get(name)
  if (exact) return exact
  if (state.program.singleDash) return state.set.byName.get(name.startsWith('--') ? name.slice(1) : `-${name}`)
  if (state.program.exactNames || name.length < 4) return undefined
  const found = state.set.longNames.filter(long => long.startsWith(name)).map(long => state.set.byName.get(long) as Option)
  return found.find(option => option.use !== 'flag' && option.use !== 'value' && option.use !== 'maybe') ?? found[0]
}

/** `-fplugin=x`: a name of several letters with one dash. */
function readNamed(state: State, word: Word, text: string): boolean {
  const equals = text.indexOf('=')
  const option = equals > 2 ? state.set.byName.get(text.slice(0, equals)) : undefined
  if (option === undefined) return false
  state.options.push({ name: option.name, written: text.slice(0, equals), use: option.use, value: dropText(word, equals + 1) })
  return true
}

function readCluster(state: State, word: Word, text: string): void {
  const whole = text.length > 2 ? state.set.byName.get(text) : undefined
  if (whole && word.value !== null) {
    state.options.push({ name: whole.name, written: text, use: whole.use, value: takesValue(whole) ? takeNext(state, whole) : null })
    return
  }
  if (text.includes('=') && readNamed(state, word, text)) return
  const long = text.length > 3 ? gluedName(state, text) : undefined
  if (long) {
    state.options.push({ name: long.name, written: long.name, use: long.use, value: dropText(word, long.name.length) })
    return
  }
  // The second `r` of `-rfr` says nothing new.
  const seen = text.length > 2 ? new Set<string>() : null
  for (let index = 1; index < text.length; index++) {
    const name = `-${text.charAt(index)}`
    if (seen?.has(name)) continue
    seen?.add(name)
    const option = state.set.byName.get(name)
    if (!option) {
      readUnknown(state, name, index + 1 < text.length)
      if (state.program.wrapper && state.facts?.option(name)?.arity !== 'flag') return
      continue
    }
    if (!canHoldValue(option)) {
      state.options.push({ name: option.name, written: text, use: option.use, value: null })
      if (option.use === 'digits') while (/[0-7xX]/.test(text.charAt(index + 1))) index++
      continue
    }
    const isLast = index + 1 === text.length && (word.value !== null || word.parts.length === 1)
    const glued = isLast ? null : dropText(word, index + 1)
    state.options.push({
      name: option.name,
      written: text.slice(0, index + 1),
      use: option.use,
      value: glued ?? (takesValue(option) ? takeNext(state, option) : null),
    })
    return
  }
}

/** `-TT'cmd'`: a name of several letters with its command glued on. */
function gluedName(state: State, text: string): Option | undefined {
  return state.set.glued.find(option => text.startsWith(option.name))
}

function canHoldValue(option: Option): boolean {
  return option.use !== 'flag' && option.use !== 'danger' && option.use !== 'digits'
}

/** Only a glued value is one. */
const MAYBE_GLUED: ReadonlySet<Option['use']> = new Set<Option['use']>(['maybe', 'in-place', 'shell-maybe', 'stdin-list', 'env-file'])

function takesValue(option: Option): boolean {
  return canHoldValue(option) && !MAYBE_GLUED.has(option.use)
}

function takeNext(state: State, option: Option): Word | null {
  if (option.use === 'named-value' || option.use === 'named-read') state.at++
  const next = state.words[state.at]
  if (next === undefined) return null
  state.at++
  return next
}
