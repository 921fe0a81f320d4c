// One command rule, ready to be compared: words of its pattern, and, made on first use, its globs and its set of flags.
import { ANY_RUN, type Glob } from '../match/glob.ts'
import { canonicalRule, mayBeSpelled } from './canonical-command.ts'
import { isCaselessProgram, upperWord } from './caseless-program.ts'
import { type CommandPattern, hasWildcard, parseCommandPattern, patternGlob } from './command-pattern.ts'
import { type FlagNeed, flagNeeds } from './flag-need.ts'
import { isFlag } from './flag-set.ts'
import { commandProgram, type ProgramReading } from './program-name.ts'
import type { Rule } from './rule.ts'
import type { TrieKey } from './word-trie.ts'

/** A rule as a set of flags and a list of operands. */
export interface RuleSet {
  /** null: any program. */
  readonly program: string | null
  readonly needs: readonly FlagNeed[]
  readonly operands: readonly string[]
  readonly operandGlob: Glob
  /** No wildcard among the operands. */
  readonly literal: boolean
  /** Further operands are welcome: the rule ends in ` *`, or in a flag with a star (`git push --force*`). */
  readonly open: boolean
}

/** Globs and sets are made on first use: of a hundred thousand rules few are ever compared. */
export class CommandRule {
  readonly rule: Rule
  readonly order: number
  readonly pattern: CommandPattern
  /** No wildcard but the tail: reaching its place in a trie is the proof. */
  readonly literal: boolean
  #glob: Glob | null = null
  #set: RuleSet | null = null

  constructor(rule: Rule, order: number, pattern: CommandPattern) {
    this.rule = rule
    this.order = order
    this.pattern = pattern
    this.literal = !pattern.words.some(hasWildcard)
  }

  get glob(): Glob {
    this.#glob ??= patternGlob(this.pattern.words, this.pattern.open)
    return this.#glob
  }

  get set(): RuleSet {
    this.#set ??= ruleSet(this.pattern)
    return this.#set
  }
}

/** As written and, where that differs, in the canonical spelling. */
export function createCommandRules(rule: Rule, order: number, spec: { readonly pattern: string }, reading: ProgramReading): CommandRule[] {
  const pattern = withWordAnywhere(rule, parseCommandPattern(spec.pattern, rule.dialect === 'genesis'))
  const program = pattern.words[0]
  if (program === undefined || hasWildcard(program)) return [new CommandRule(rule, order, pattern)]
  const name = commandProgram(program, reading)
  // Most rules have one spelling; there may be a hundred thousand.
  if (name === program && !mayBeSpelled(program) && !isCaselessProgram(program)) return [new CommandRule(rule, order, pattern)]
  const words = name === program ? pattern.words : [name, ...pattern.words.slice(1)]
  const spellings = [words, ...(pattern.script ? [] : canonicalSpellings(words, rule.effect === 'allow'))]
  const upper = rule.effect === 'allow' || pattern.script ? [] : spellings.filter(isCaseless).map(upperCase)
  return [...spellings, ...upper].map(spelled => new CommandRule(rule, order, { ...pattern, words: spelled }))
}

/** Of the program itself and, against a command, of the one whose place it takes. */
function canonicalSpellings(words: readonly string[], isAllow: boolean): readonly (readonly string[])[] {
  const own = canonicalRule(words, true)
  const other = isAllow ? null : canonicalRule(words, false)
  const isSame = own !== null && other !== null && own.join(' ') === other.join(' ')
  return [own, isSame ? null : other].filter(spelled => spelled !== null)
}

function isCaseless([program = '', ...rest]: readonly string[]): boolean {
  return isCaselessProgram(program) && rest.length > 0
}

function upperCase([program = '', ...rest]: readonly string[]): readonly string[] {
  return [program, ...rest.map(upperWord)]
}

/** `* install` in a deny or ask list of genesis.key is about every command with that word, wherever it stands; an allow stays as written. */
function withWordAnywhere({ effect, dialect }: Rule, pattern: CommandPattern): CommandPattern {
  const [first, word, ...rest] = pattern.words
  const isOneWord = first === ANY_RUN && word !== undefined && !hasWildcard(word) && rest.length === 0
  return effect !== 'allow' && dialect === 'genesis' && isOneWord ? { ...pattern, open: true } : pattern
}

/** Where the rule stands in a trie of all words. */
export function plainKey({ words }: CommandPattern): TrieKey {
  return keyOf(words)
}

/** Where the rule stands in a trie of program and operands. */
export function setKey(pattern: CommandPattern): TrieKey {
  return keyOf(pattern.words.filter((word, index) => index === 0 || !isFlag(word)))
}

export function hasFlags(pattern: CommandPattern): boolean {
  return pattern.words.some((word, index) => index > 0 && isFlag(word))
}

/** Can the rule be read as program, flags and operands? A program with a wildcard in its name cannot. */
export function isSet({ words }: CommandPattern): boolean {
  const program = words[0] ?? ''
  return program === ANY_RUN || !hasWildcard(program)
}

function keyOf(words: readonly string[]): TrieKey {
  const first = words.findIndex(hasWildcard)
  if (first === -1) return { words, partial: '' }
  const wild = words[first] ?? ''
  return { words: words.slice(0, first), partial: wild.slice(0, wild.search(/[\uFDD0\uFDD1]/)) }
}

function ruleSet(pattern: CommandPattern): RuleSet {
  const [first = '', ...rest] = pattern.words
  const program = first === ANY_RUN ? null : first
  const operands = rest.filter(word => !isFlag(word))
  const subcommand = operands[0] ?? null
  const last = rest.at(-1) ?? ''
  const open = pattern.open || (isFlag(last) && last.endsWith(ANY_RUN))
  return {
    program,
    needs: rest.filter(isFlag).flatMap(flag => flagNeeds(program ?? '', subcommand, flag)),
    operands,
    operandGlob: patternGlob(operands, open),
    open,
    literal: !operands.some(hasWildcard),
  }
}
