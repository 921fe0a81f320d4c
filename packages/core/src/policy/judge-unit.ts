// One simple command against the rules about commands.
import type { Unit, UnitTrait, Word } from '../match/shell/shell-analysis.ts'
import { ANY_SIGN, BLANK, SEPARATOR, wordSigns } from '../match/shell/signs.ts'
import { wordChoices } from '../match/shell/word.ts'
import { filesInCode } from './carried-code.ts'
import { findCarried, isTransparent } from './carried-command.ts'
import { type CommandIndex, findCovering, findForbidding, namesAssignments, namesOption } from './command-index.ts'
import { hasWildcard } from './command-pattern.ts'
import type { CommandRule } from './command-rule.ts'
import { type EffectIndex, hasCommandRules, rulesFor, type ToolRules } from './compile-rules.ts'
import { findLikelyRule } from './judge-effect.ts'
import {
  allowed,
  describeRule,
  type Finding,
  forbidden,
  type JudgedPart,
  type JudgeInput,
  judged,
  quoteShort,
  uncovered,
} from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'
import { quoteWord } from './normal-form.ts'
import { type ProgramReading, systemDirs } from './program-name.ts'
import { protectLine, protectUnit } from './protect-unit.ts'
import type { Rule } from './rule.ts'
import { skipPlace } from './skip-place.ts'
import { UnitView } from './unit-view.ts'

/** The same plain command twice on one line is judged once: the same words, as they stand and as the shell hands them over. */
export function judgeUnits(input: JudgeInput, units: readonly Unit[]): PartJudgement[] {
  const [only] = units
  if (only !== undefined && units.length === 1) return judgeUnit(input, only)
  const judgedUnits = new Map<string, readonly PartJudgement[]>()
  const parts: PartJudgement[] = []
  for (const unit of units) {
    const key = isPlain(unit) ? identity(unit) : null
    const known = key === null ? undefined : judgedUnits.get(key)
    const found = known ?? judgeUnit(input, unit)
    if (key !== null && known === undefined) judgedUnits.set(key, found)
    for (const part of found) parts.push(known === undefined ? part : { ...part, span: unit.span })
  }
  const line = input.context.selfProtection ? protectLine(input, units) : null
  if (line !== null) parts.push(line)
  return parts
}

/**
 * A unit that is not let through, whatever else stands beside it; null: the rules alone do not refuse one. The last comes first: rules are
 * mostly about what a launcher starts, and that stands behind it.
 */
export function findRefused(input: JudgeInput, units: readonly Unit[]): PartJudgement | null {
  const mayPass = input.compiled.default === 'allow' || input.compiled.default === 'none'
  for (let at = units.length - 1; at >= 0; at--) {
    const unit = units[at] as Unit
    const found = judgeByRules(input, unit, partOf(unit))
    if (found.decision === 'deny' || found.decision === 'ask' || (found.decision === 'default' && !mayPass)) return found
  }
  return null
}

/** Means the same wherever it stands: no unknown parts, no wrapper, nothing but neutral traits. */
function isPlain(unit: Unit): boolean {
  if (unit.assignments.length > 0 || unit.behind.length > 0) return false
  return unit.traits.every(trait => trait.kind === 'neutral') && unit.words.every(word => word.value !== null && word.parts.length === 1)
}

/** `$c` is another command in each subshell that sets it, so the text alone does not tell. Lengths say where a word ends: it may hold anything. */
function identity({ role, traits, source, words, bases }: Unit): string {
  let key = `${role}${traits.length} ${source.length} ${source} ${bases?.join()}`
  for (const { value, written, glob } of words) {
    key += ` ${glob} ${value?.length} ${value} ${written?.length} ${written}`
  }
  return key
}

function judgeUnit(input: JudgeInput, unit: Unit): PartJudgement[] {
  const part = partOf(unit)
  const protection = input.context.selfProtection ? protectUnit(input, unit) : null
  const parts = protection === null ? [] : [judged(part, protection)]
  // A protection that only asks leaves the word to stricter rules.
  if (protection?.decision !== 'deny') parts.push(judgeByRules(input, unit, part))
  return parts
}

function partOf(unit: Unit): JudgedPart {
  return { what: 'unit', source: unit.source, normal: normalForm(unit), span: unit.span }
}

function judgeByRules(input: JudgeInput, unit: Unit, part: JudgedPart): PartJudgement {
  const views = viewsOf(unit, input)
  for (const index of [input.compiled.deny, input.compiled.ask]) {
    const against = findForbidden(input, index, views)
    if (against !== null) return forbidden(part, against.rule, unit.isGuess === true ? 'may' : against.match)
  }
  const unclear = unit.traits.find(trait => trait.kind === 'unclear-command')
  if (unclear !== undefined && hasCommandRules(input.compiled, input.call.tool))
    return judged(part, { decision: 'ask', match: 'may', reason: unclear.why })
  if (unit.role === 'deny-only') return judgeInner(input, unit, part)
  if (unit.traits.some(trait => trait.kind === 'neutral')) return judged(part, { decision: 'neutral', reason: 'needs no rule' })
  const rule = findAllowed(input, unit, views)
  // What is denied by default is not for a rule to ask about.
  const mayCarry = rule === null ? input.compiled.default !== 'deny' : isBroad(rule) || mayCarryCommand(rule, unit)
  const carried = mayCarry ? carriedRule(input, unit) : null
  if (carried !== null) return judged(part, { decision: 'ask', match: 'may', rule: carried, reason: carries(unit, carried) })
  const isWritten = unit.traits.some(trait => trait.kind === 'written-code')
  const file = mayCarry && (rule === null || isWritten) ? fileInCode(input, unit) : null
  if (rule !== null && file === null) return allowed(part, rule)
  return file === null ? uncovered(part, uncoveredReason(unit)) : judged(part, file)
}

/** What a launcher, or arithmetic, starts may itself be one that nobody knows (`ssh h 'foo rm -rf x'`, `a[$(perl -e ...)]`). */
function judgeInner(input: JudgeInput, unit: Unit, part: JudgedPart): PartJudgement {
  const isStarted = unit.isGuess !== true && input.compiled.default !== 'deny'
  const carried = isStarted && !isTransparent(unit.words[0]?.value ?? '') ? carriedRule(input, unit) : null
  if (carried !== null) return judged(part, { decision: 'ask', match: 'may', rule: carried, reason: carries(unit, carried) })
  const file = isStarted ? fileInCode(input, unit) : null
  return judged(part, file ?? { decision: 'neutral', reason: decidedElsewhere(unit) })
}

/** Code may read and write the files it names. */
function fileInCode(input: JudgeInput, unit: Unit): Finding | null {
  for (const path of filesInCode(unit)) {
    const found = (unit.bases ?? [input.context.cwd]).map(base => findLikelyRule(input, path, base)).find(isRule)
    if (found === undefined) continue
    const reason = `the code names ${path}, a file that ${describeRule(found)} is about`
    return { decision: 'ask', match: 'may', rule: found, reason }
  }
  return null
}

function isRule(rule: Rule | null): rule is Rule {
  return rule !== null
}

/** Names no program: `Bash`, `Bash(*)`, `Bash(* --help)`. */
function isBroad({ spec }: Rule): boolean {
  return spec === null || (spec.kind === 'command' && spec.pattern.startsWith('*'))
}

/** `Bash(npm *)` does not say what an option of npm runs (`npm -c 'rm -rf x' exec`); a rule without a star does. */
function mayCarryCommand({ spec }: Rule, { words }: Unit): boolean {
  return spec?.kind === 'command' && spec.pattern.endsWith('*') && words.some(({ value }) => value !== null && /\s/.test(value))
}

function carriedRule(input: JudgeInput, unit: Unit): Rule | null {
  const reading: ProgramReading = { for: 'allow', trustedDirs: trustedDirs(input) }
  for (const index of [input.compiled.deny, input.compiled.ask]) {
    for (const { commands } of rulesFor(index, input.call.tool)) {
      const found = commands === null ? null : findCarried(commands, unit, reading)
      if (found !== null) return found
    }
  }
  return null
}

function carries(unit: Unit, rule: Rule): string {
  return `${unit.words[0]?.value ?? unit.assignments[0]?.name ?? 'it'} is given a command that ${describeRule(rule)} forbids, and may run it`
}

/** The unit once for each value of its loop variables, as expanded and, where that differs, as written. */
function viewsOf(unit: Unit, input: JudgeInput): UnitView[] {
  const reading: ProgramReading = { for: 'allow', trustedDirs: trustedDirs(input) }
  const isWritten = unit.words.some(word => word.written !== undefined)
  if (!isWritten && unit.words.every(isKnown)) return [new UnitView(unit, unit.words, { reading })]
  const views = argumentChoices(unit.words).map(words => new UnitView(unit, words, { reading }))
  if (!isWritten) return views
  return [...views, new UnitView(unit, unit.words, { reading, asWritten: true })]
}

const SYSTEM_DIRS: ReadonlySet<string> = new Set(systemDirs)

function trustedDirs(input: JudgeInput): ReadonlySet<string> {
  const { trustedDirs: more } = input.context
  return more === undefined ? SYSTEM_DIRS : new Set([...systemDirs, ...more])
}

const MAX_CHOICES = 64

function argumentChoices(words: readonly Word[]): readonly (readonly Word[])[] {
  let found: readonly (readonly Word[])[] = [words]
  if (words.every(isKnown)) return found
  for (const [at, word] of words.entries()) {
    const choices = word.value === null ? wordChoices(word) : []
    if (choices.length < 2 || found.length * choices.length > MAX_CHOICES) continue
    found = found.flatMap(head => choices.map(choice => head.with(at, choice)))
  }
  return found
}

function isKnown({ value }: Word): boolean {
  return value !== null
}

function findForbidden(input: JudgeInput, index: EffectIndex, views: readonly UnitView[]): { rule: Rule; match: 'must' | 'may' } | null {
  let may: Rule | null = null
  for (const rules of rulesFor(index, input.call.tool)) {
    if (rules.any !== null) return { rule: rules.any, match: 'must' }
    const { commands } = rules
    if (commands === null) continue
    for (const view of views) {
      for (const spelled of spellings(view, input)) {
        const found = spelled.words.length === 0 ? null : findForbidding(commands, spelled)
        if (found?.match === 'must') return { rule: found.rule.rule, match: 'must' }
        may ??= found?.rule.rule ?? null
      }
    }
  }
  return may === null ? null : { rule: may, match: 'may' }
}

/** As it stands, under the canonical names of its program, and where case does not count. */
function spellings(view: UnitView, input: JudgeInput): readonly UnitView[] {
  const others = [...view.respelled(), foldedView(view, input), view.upperCased()].filter(other => other !== null)
  return [view, ...others]
}

/** `RM` starts `rm` where names of files differ in more than their case. */
function foldedView(view: UnitView, { context: { files, root } }: JudgeInput): UnitView | null {
  const [program] = view.denyWords
  const lower = program?.toLowerCase() ?? ''
  return program === lower || program === undefined || !files.isCaseInsensitive(root) ? null : view.renamed(lower)
}

/** Every value of the loop variables must be covered; a word may be covered as expanded or as written. */
function findAllowed(input: JudgeInput, unit: Unit, views: readonly UnitView[]): Rule | null {
  const written = unit.words.some(word => word.written !== undefined) ? views.at(-1) : undefined
  if (written !== undefined) {
    const found = coveringRule(input, unit, written)
    if (found !== null) return found
  }
  let first: Rule | null = null
  for (const view of written === undefined ? views : views.slice(0, -1)) {
    const found = coveringRule(input, unit, view)
    if (found === null) return null
    first ??= found
  }
  return first
}

function coveringRule(input: JudgeInput, unit: Unit, view: UnitView): Rule | null {
  const rules = rulesFor(input.compiled.allow, input.call.tool)
  const found = coveringCommand(rules, view) ?? coveringElsewhere(input, rules, view)
  if (found !== null) return found
  const looking = rules.find(({ readOnly }) => readOnly !== null)?.readOnly
  if (looking && view.onlyLooks()) return looking
  const broad = coversAnything(unit) ? rules.find(({ any }) => any !== null)?.any : undefined
  return broad ?? null
}

function coveringCommand(rules: readonly ToolRules[], view: UnitView): Rule | null {
  for (const { commands } of rules) {
    if (commands === null) continue
    const found = findCovering(commands, view, rule => coversTraits(rule, view)) ?? findCoveringAlias(commands, view)
    if (found !== null) return found.rule
  }
  return null
}

/** `npm -w app run build` is `npm run build` in a part of the project. */
function coveringElsewhere(input: JudgeInput, rules: readonly ToolRules[], view: UnitView): Rule | null {
  const words = skipPlace(view.allowWords[0] ?? '', view.words)
  if (words === null) return null
  const there = new UnitView(view.unit, words, { reading: { for: 'allow', trustedDirs: trustedDirs(input) } })
  const looking = rules.find(({ readOnly }) => readOnly !== null)?.readOnly
  return coveringCommand(rules, there) ?? (looking && there.onlyLooks() ? looking : null)
}

/** `npm install *` covers `npm i x`. */
function findCoveringAlias(commands: CommandIndex, view: UnitView): CommandRule | null {
  const canonical = view.canonical()
  return canonical === null ? null : findCovering(commands, canonical, rule => coversTraits(rule, canonical))
}

/** `Bash(*)` names no program, no option and no variable. */
function coversAnything(unit: Unit): boolean {
  return unit.words.length > 0 && unit.traits.every(trait => COVERED_BY_ANY.has(trait.kind))
}

const COVERED_BY_ANY: ReadonlySet<UnitTrait['kind']> = new Set(['more-arguments', 'neutral', 'written-code'])

function coversTraits(rule: CommandRule, view: UnitView): boolean {
  const names = view.unit.traits.flatMap(trait => (trait.kind === 'environment' ? [trait.name] : []))
  return namesAssignments(rule, view, names) && view.unit.traits.every(trait => coversTrait(rule, view, trait))
}

function coversTrait(rule: CommandRule, view: UnitView, trait: UnitTrait): boolean {
  switch (trait.kind) {
    case 'neutral':
    case 'environment':
    case 'written-code':
      return true
    case 'state-change':
      return rule.pattern.words[0] === view.allowWords[0]
    case 'interpreter-code':
      return namesOption(rule, trait.option) || isExact(rule)
    case 'more-arguments':
      return rule.pattern.open || (rule.pattern.words.at(-1) ?? '').endsWith('\uFDD0')
    case 'unclear-command':
      return false
    case 'unknown-wrapper-option':
    case 'not-covered':
      return isExact(rule)
  }
}

/** Spelt out to the last word: whoever wrote it meant this command and no other. */
function isExact({ pattern }: CommandRule): boolean {
  return !pattern.open && !pattern.words.some(hasWildcard)
}

function normalForm(unit: Unit): string {
  const signs = wordSigns(unit.words)
  let text = ''
  for (let at = 0; at < unit.words.length; at++) {
    const { value, source } = unit.words[at] as Word
    if (at > 0) text += ' '
    const isPlain = value !== '' && ((signs[at] ?? ANY_SIGN) & (BLANK | SEPARATOR)) === 0
    text += value === null ? source : isPlain ? value : quoteWord(value)
  }
  return text
}

function decidedElsewhere(unit: Unit): string {
  const wrapper = unit.behind.at(-1)
  return wrapper === undefined ? 'decided by what it runs' : `decided by the rule for ${wrapper}`
}

/** Needs neither cutting nor another spelling; most are. */
const PLAIN = /^(?:[!-~]| (?! )){1,119}$/

function uncoveredReason(unit: Unit): string {
  const source = PLAIN.test(unit.source) ? `"${unit.source}"` : quoteShort(unit.source)
  for (const trait of unit.traits) {
    switch (trait.kind) {
      case 'state-change':
        return `${source} changes the shell for what follows; only a rule that names ${unit.words[0]?.value ?? 'it'} covers it`
      case 'interpreter-code':
        return `code after ${trait.option} can do anything; only a rule that names ${trait.option} covers it`
      case 'environment':
        return `the variable ${trait.name} can change what the command does`
      case 'unknown-wrapper-option':
        return `the option ${trait.option} is not known, so what runs is not certain`
      case 'unclear-command':
      case 'not-covered':
        return trait.why
      default:
    }
  }
  return `no rule covers ${source}`
}
