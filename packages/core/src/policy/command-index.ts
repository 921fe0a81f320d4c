// All command rules of one effect, found by the first words of a unit.
import { ANY_RUN, globMayMatch, globMustMatch, globOf, type PartlyKnownText } from '../match/glob.ts'
import { hasWildcard } from './command-pattern.ts'
import { type CommandRule, hasFlags, isSet, plainKey, type RuleSet, setKey } from './command-rule.ts'
import { isFlag } from './flag-set.ts'
import { wordsText } from './normal-form.ts'
import type { RuleEffect } from './rule.ts'
import { possibleShapes, type UnitShape, type UnitView } from './unit-view.ts'
import { WordTrie } from './word-trie.ts'

export interface CommandIndex {
  /** Over all words as written. Allow rules stand only here. */
  readonly plain: WordTrie<CommandRule>
  /** Over program and operands; null in an index of allow rules. */
  readonly sets: WordTrie<CommandRule> | null
  /** Rules about a whole command line. */
  readonly scripts: CommandRule[]
  /** Some rule speaks only of commands that set a variable (`CI=1 npm *`). */
  namesVariables: boolean
}

export function createCommandIndex(effect: RuleEffect): CommandIndex {
  return { plain: new WordTrie(), sets: effect === 'allow' ? null : new WordTrie(), scripts: [], namesVariables: false }
}

export function addCommandRule(index: CommandIndex, rule: CommandRule): void {
  if (rule.pattern.script) {
    index.scripts.push(rule)
    return
  }
  if (rule.pattern.assignments.length > 0) index.namesVariables = true
  const asSet = index.sets !== null && isSet(rule.pattern)
  if (asSet) index.sets?.add(setKey(rule.pattern), rule)
  // Without flags and wildcards a rule that matches as written matches as a set too.
  if (!asSet || hasFlags(rule.pattern) || !rule.literal) index.plain.add(plainKey(rule.pattern), rule)
}

/** The first rule, in the order of the policy, that covers the unit whatever its unknown parts become. */
export function findCovering(index: CommandIndex, view: UnitView, accepts: (rule: CommandRule) => boolean): CommandRule | null {
  let found: CommandRule | null = null
  const consider = (rule: CommandRule, depth: number): boolean => {
    if (found !== null && found.order < rule.order) return false
    if (mustMatchPlain(rule, view, { words: view.allowWords, depth, text: () => view.allowText() }) && accepts(rule)) found = rule
    return false
  }
  index.plain.visit(view.allowWords, consider, view.next)
  return found
}

export interface Forbidding {
  readonly rule: CommandRule
  readonly match: 'must' | 'may'
}

/** The first deny or ask rule that must match; else the first that may. */
export function findForbidding(index: CommandIndex, view: UnitView): Forbidding | null {
  const program = view.denyWords[0]
  if (program !== undefined && !index.plain.reaches(program) && index.sets?.reaches(program) !== true) return null
  const must = findMust(index, view)
  if (must !== null) return { rule: must, match: 'must' }
  const may = (view.dynamic ? findMay(index, view) : null) ?? findUncertain(index, view)
  return may === null ? null : { rule: may, match: 'may' }
}

function findMust(index: CommandIndex, view: UnitView): CommandRule | null {
  let found: CommandRule | null = null
  const keep = (rule: CommandRule, matches: boolean): boolean => {
    if (matches && assignmentsMatch(rule, view) && (found === null || rule.order < found.order)) found = rule
    return false
  }
  const asWritten = (rule: CommandRule, depth: number): boolean =>
    keep(rule, mustMatchPlain(rule, view, { words: view.denyWords, depth, text: () => view.denyText() }))
  index.plain.visit(view.denyWords, asWritten, view.next)
  for (const shape of view.shapes()) {
    index.sets?.visit(shape.key, (rule, depth) => keep(rule, mustMatchSet(rule, shape, { depth })), shape.next)
  }
  return found
}

interface Reached {
  readonly words: readonly string[]
  readonly depth: number
  readonly text: () => PartlyKnownText
}

function mustMatchPlain(rule: CommandRule, view: UnitView, { words, depth, text }: Reached): boolean {
  if (!rule.literal) return globMustMatch(rule.glob, text())
  if (depth !== rule.pattern.words.length) return false
  return rule.pattern.open || (view.complete && depth === words.length)
}

interface SetReading {
  /** How many operands the index used up. */
  readonly depth: number
  /** A flag may be one that is cut short, or the first letter of one. */
  readonly loose?: boolean
}

function mustMatchSet(rule: CommandRule, shape: UnitShape, { depth, loose }: SetReading): boolean {
  const { set } = rule
  if (!flagsMatch(set, shape, loose)) return false
  // `* --force`: whatever the operands are.
  if (set.operands.length === 0 && (set.open || set.program === null)) return true
  if (set.literal && set.program !== null) return set.open || (shape.complete && depth === shape.key.length)
  return globMustMatch(set.operandGlob, shape.operandText())
}

/** A rule that names no flag and ends without a star means the command without flags. */
function flagsMatch(set: RuleSet, shape: UnitShape, loose = false): boolean {
  if (!set.open && set.needs.length === 0) return !shape.hasOwnFlags
  return set.needs.every(need => need(shape, loose))
}

/** A rule for any program (`* publish`) speaks of what commands do: an unknown word of one that only looks does nothing. */
function isIdle({ pattern }: CommandRule, view: UnitView): boolean {
  return pattern.words[0]?.startsWith(ANY_RUN) === true && view.onlyLooks()
}

/** Rules that match for some value of the unknown parts. */
function findMay(index: CommandIndex, view: UnitView): CommandRule | null {
  let found: CommandRule | null = null
  const stopAt = (rule: CommandRule, matches: boolean): boolean => {
    if (!matches || !assignmentsMatch(rule, view) || isIdle(rule, view)) return false
    found = rule
    return true
  }
  // Without wildcards, what a set may match includes what the same rule may match as written.
  const asWritten = (rule: CommandRule): boolean => !(rule.literal && isSet(rule.pattern)) && globMayMatch(rule.glob, view.denyText())
  if (index.plain.visitOpen(view.denyWords, rule => stopAt(rule, asWritten(rule)))) return found
  for (const shape of view.shapes()) {
    if (index.sets?.visitOpen(shape.key, rule => stopAt(rule, mayMatchSet(rule, shape)))) return found
  }
  return found
}

function mayMatchSet({ set }: CommandRule, shape: UnitShape): boolean {
  if (!shape.hidesFlags && !flagsMatch(set, shape)) return false
  if (set.operands.length === 0 && (set.open || set.program === null)) return true
  return globMayMatch(set.operandGlob, shape.operandText())
}

/** Rules that match when a word behind an option we do not know is its value (`foo --level high deploy` is `foo deploy`). */
function findUncertain(index: CommandIndex, view: UnitView): CommandRule | null {
  let found: CommandRule | null = null
  for (const shape of possibleShapes(view.shape())) {
    index.sets?.visit(shape.key, (rule, depth) => {
      if (found === null && mustMatchSet(rule, shape, { depth, loose: true }) && assignmentsMatch(rule, view) && !isIdle(rule, view))
        found = rule
      return found !== null
    })
    if (found !== null) break
    if (!view.dynamic) continue
    index.sets?.visitOpen(shape.key, rule => {
      if (mayMatchSet(rule, shape) && assignmentsMatch(rule, view) && !isIdle(rule, view)) found = rule
      return found !== null
    })
    if (found !== null) break
  }
  return found
}

/** A rule that names assignments speaks only of commands that carry them. */
function assignmentsMatch(rule: CommandRule, view: UnitView): boolean {
  return rule.pattern.assignments.every(assignment => coversAssignment(assignment, view))
}

function coversAssignment(assignment: string, view: UnitView): boolean {
  const equals = assignment.indexOf('=')
  const name = assignment.slice(0, equals).replace(/\+$/, '')
  const value = assignment.slice(equals + 1)
  return view.unit.assignments.some(given => {
    if (given.name !== name) return false
    return globMustMatch(globOf(value), wordsText([given.value], 'literal'))
  })
}

/** Every assignment that needs a rule of its own is named by this one. */
export function namesAssignments(rule: CommandRule, view: UnitView, names: readonly string[]): boolean {
  const named = rule.pattern.assignments.map(assignment => assignment.slice(0, assignment.indexOf('=')).replace(/\+$/, ''))
  return names.every(name => named.includes(name)) && assignmentsMatch(rule, view)
}

/** `python3 -c *` names `-c`; `python3 *` does not. */
export function namesOption(rule: CommandRule, option: string): boolean {
  const { words } = rule.pattern
  const wild = words.findIndex(hasWildcard)
  const literal = wild === -1 ? words : words.slice(0, wild + 1)
  return literal.some(word => isFlag(word) && (word === option || word.startsWith(`${option}=`)))
}
