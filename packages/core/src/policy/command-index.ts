// All command rules of one effect, found by the first words of a unit.
import { globMayMatch, globMustMatch, globOf } from '../match/glob.ts'
import { hasWildcard } from './command-pattern.ts'
import { type CommandRule, hasFlags, isSet, plainKey, setKey } from './command-rule.ts'
import { isFlag } from './flag-set.ts'
import { wordsText } from './normal-form.ts'
import type { UnitView } from './unit-view.ts'
import { WordTrie } from './word-trie.ts'

export type Match = 'must' | 'may' | 'no'

export interface CommandIndex {
  /** Over all words as written. Allow rules stand only here. */
  readonly plain: WordTrie<CommandRule>
  /** Over program and operands; null in an index of allow rules. */
  readonly sets: WordTrie<CommandRule> | null
  /** Rules about a whole command line. */
  readonly scripts: CommandRule[]
  first: CommandRule | null
}

export function createCommandIndex(effect: 'allow' | 'deny'): CommandIndex {
  return { plain: new WordTrie(), sets: effect === 'allow' ? null : new WordTrie(), scripts: [], first: null }
}

export function addCommandRule(index: CommandIndex, rule: CommandRule): void {
  index.first ??= rule
  if (rule.pattern.script) {
    index.scripts.push(rule)
    return
  }
  const asSet = index.sets !== null && isSet(rule.pattern)
  if (asSet) index.sets?.add(setKey(rule.pattern), rule)
  // Without flags and wildcards a rule that matches as written matches as a set too.
  if (!asSet || hasFlags(rule.pattern) || !rule.literal) index.plain.add(plainKey(rule.pattern), rule)
}

/** The first rule, in the order of the policy, that covers the unit whatever its holes become. */
export function findCovering(index: CommandIndex, view: UnitView, accepts: (rule: CommandRule) => boolean): CommandRule | null {
  let found: CommandRule | null = null
  index.plain.visit(view.allowWords, (rule, depth) => {
    if (found !== null && found.order < rule.order) return false
    if (mustMatchPlain(rule, view, view.allowWords, depth, view.allowText) && accepts(rule)) found = rule
    return false
  })
  return found
}

export interface Forbidding {
  readonly rule: CommandRule
  readonly match: 'must' | 'may'
}

/** The first deny or ask rule that must match; else the first that may. */
export function findForbidding(index: CommandIndex, view: UnitView): Forbidding | null {
  const must = findMust(index, view)
  if (must !== null) return { rule: must, match: 'must' }
  if (!view.dynamic && view.shape().uncertain.length === 0) return null
  const may = findMay(index, view)
  return may === null ? null : { rule: may, match: 'may' }
}

export function commandMatch(rule: CommandRule, view: UnitView): Match {
  const index = createCommandIndex('deny')
  addCommandRule(index, rule)
  return findForbidding(index, view)?.match ?? 'no'
}

function findMust(index: CommandIndex, view: UnitView): CommandRule | null {
  let found: CommandRule | null = null
  const keep = (rule: CommandRule, matches: boolean): boolean => {
    if (matches && assignmentsMatch(rule, view) && (found === null || rule.order < found.order)) found = rule
    return false
  }
  index.plain.visit(view.denyWords, (rule, depth) => keep(rule, mustMatchPlain(rule, view, view.denyWords, depth, view.denyText)))
  index.sets?.visit(view.shape().key, (rule, depth) => keep(rule, mustMatchSet(rule, view, depth)))
  return found
}

function mustMatchPlain(rule: CommandRule, view: UnitView, words: readonly string[], depth: number, text: UnitView['allowText']): boolean {
  if (!rule.literal) return globMustMatch(rule.glob(), text())
  if (depth !== rule.pattern.words.length) return false
  return rule.pattern.open || (view.complete && depth === words.length)
}

function mustMatchSet(rule: CommandRule, view: UnitView, depth: number): boolean {
  const set = rule.set()
  const shape = view.shape()
  if (!set.needs.every(need => need(shape.flags))) return false
  if (set.literal && set.program !== null) return rule.pattern.open || (shape.complete && depth === shape.key.length)
  return operandsMust(rule, view)
}

function operandsMust(rule: CommandRule, view: UnitView): boolean {
  const set = rule.set()
  if (rule.pattern.open && set.operands.length === 0) return true
  return globMustMatch(set.operandGlob, view.shape().operandText())
}

function findMay(index: CommandIndex, view: UnitView): CommandRule | null {
  let found: CommandRule | null = null
  const stopAt = (rule: CommandRule, matches: boolean): boolean => {
    if (!matches || !assignmentsMatch(rule, view)) return false
    found = rule
    return true
  }
  // Without wildcards, what a set may match includes what the same rule may match as written.
  const asWritten = (rule: CommandRule): boolean => !(rule.literal && isSet(rule.pattern)) && globMayMatch(rule.glob(), view.denyText())
  if (index.plain.visitOpen(view.denyWords, rule => stopAt(rule, asWritten(rule)))) return found
  for (const key of uncertainKeys(view)) {
    if (index.sets?.visitOpen(key, rule => stopAt(rule, mayMatchSet(rule, view)))) return found
  }
  return found
}

/** The operands with and without those that may be values of options we do not know. */
function uncertainKeys(view: UnitView): readonly (readonly string[])[] {
  const shape = view.shape()
  if (shape.uncertain.length === 0) return [shape.key]
  const [program = ''] = shape.key
  return [shape.key, [program]]
}

function mayMatchSet(rule: CommandRule, view: UnitView): boolean {
  const set = rule.set()
  const shape = view.shape()
  if (!shape.hidesFlags && !set.needs.every(need => need(shape.flags))) return false
  if (rule.pattern.open && set.operands.length === 0) return true
  const text = shape.operandText()
  if (globMayMatch(set.operandGlob, text)) return true
  return shape.uncertain.length > 0 && mayMatchWithout(rule, view)
}

function mayMatchWithout(rule: CommandRule, view: UnitView): boolean {
  const { operands, uncertain, operandWords } = view.shape()
  const certain = operandWords.filter((_, index) => !uncertain.includes(operands[index] ?? -1))
  return globMayMatch(rule.set().operandGlob, wordsText(certain, 'hole'))
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
