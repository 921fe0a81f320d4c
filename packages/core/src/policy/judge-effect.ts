// The file effects of one command line: redirections, operands that are read or written.
import { type PathView, viewPath } from '../match/path/path-view.ts'
import { treeTaker } from '../match/path/protect-command.ts'
import { isUnprotected, type Protection, protectPath } from '../match/path/protect-path.ts'
import { protectWord } from '../match/path/protect-word.ts'
import type { ResolvedPath } from '../match/path/resolve-path.ts'
import { isOnlooker } from '../match/shell/likely-file.ts'
import { FILE_WORK, spend } from '../match/shell/meter.ts'
import type { FileEffect, ShellAnalysis, Unit, Word } from '../match/shell/shell-analysis.ts'
import { baseName, makeWord, wordChoices } from '../match/shell/word.ts'
import { type CompiledPermissions, type EffectIndex, rulesFor } from './compile-rules.ts'
import { judgeGlobLinks } from './judge-glob-links.ts'
import { describeRule, forbidden, type JudgedPart, type JudgeInput, judged, resolveAt, uncovered } from './judge-part.ts'
import { type FileUse, findPathRule, judgeFile } from './judge-path.ts'
import { fillGlobs, mayMatchCertain, mayMatchPath } from './judge-unknown-path.ts'
import type { PartJudgement } from './judgement.ts'
import { followNames, type NameFollower } from './made-names.ts'
import { findRenames, formerWords } from './renamed-tree.ts'
import type { Rule } from './rule.ts'

export function judgeEffects(given: JudgeInput, { units, effects, names = [] }: ShellAnalysis): PartJudgement[] {
  const hasGlobs = effects.some(effect => effect.path.glob)
  const input = hasGlobs && units.some(foldsCase) ? withFoldedCase(given) : given
  const judgedUses = new Map<string, PartJudgement>()
  const parts: PartJudgement[] = []
  const hidden = hasGlobs && units.some(yieldsHidden)
  const followed = findRenames(units)
  const renames = followed ?? []
  if (followed === null) parts.push(tooManyMoves(units))
  const follow = names.length > 0 ? followNames(names) : null
  for (const effect of effects) {
    if (effect.insteadOf !== undefined) {
      const failed = judgeFailed(input, effect, units, hidden)
      if (failed !== null) parts.push(failed)
      continue
    }
    if (follow !== null) parts.push(...judgeNamed(input, effect, { follow, user: one => effectUser(one, units[effect.unit], hidden) }))
    if (effect.role === 'listing') {
      const listed = judgeListing(input, effect)
      if (listed !== null) parts.push(listed)
      continue
    }
    if (effect.role === 'guess') {
      const likely = judgeLikely(input, effect)
      if (likely !== null) parts.push(likely)
      continue
    }
    const user = effectUser(effect, units[effect.unit], hidden)
    for (const word of wordChoices(effect.path)) {
      const key = `${user.isTree}${user.isOwn}${effect.access}${effect.role}${effect.base}${word.glob}\0${word.source}\0${word.value}`
      const known = word.value === null ? undefined : judgedUses.get(key)
      const part = known === undefined ? judgeWord(input, effect, word, user) : { ...known, span: effect.span }
      judgedUses.set(key, part)
      parts.push(part)
      const formers = formerWords(renames, effect, word)
      spend(renames.length + FILE_WORK * formers.length)
      for (const former of formers) parts.push(judgeWord(input, formerEffect(effect), former, user))
    }
  }
  return parts
}

function tooManyMoves(units: readonly Unit[]): PartJudgement {
  const source = units[0]?.source ?? ''
  const part = { what: 'unit', source, normal: source, span: units[0]?.span ?? null } as const
  return judged(part, { decision: 'ask', reason: 'the line moves or copies more files than can be followed' })
}

/** A `cd` that fails leaves the line where it was: a rule against the file there asks, unless the folder is surely there. */
function judgeFailed(input: JudgeInput, effect: FileEffect, units: readonly Unit[], hidden: boolean): PartJudgement | null {
  if (effect.role === 'guess' || effect.role === 'listing') return null
  if (effect.insteadOf?.every(directory => input.context.files.names(directory) !== null)) return null
  for (const word of wordChoices(effect.path)) {
    const part = judgeWord(input, effect, word, effectUser(effect, units[effect.unit], hidden))
    if (part.decision !== 'deny' && part.decision !== 'ask') continue
    return { ...part, decision: 'ask', match: 'may', reason: `${part.reason} (where the cd before it fails)` }
  }
  return null
}

/** The new name needs the allow; the old one only must not be forbidden. */
function formerEffect(effect: FileEffect): FileEffect {
  return { ...effect, base: '/', role: 'deny-only' }
}

/** `shopt -s dotglob`, `bash -O dotglob`, `BASHOPTS=dotglob bash`, `setopt globdots`, `GLOBIGNORE=x`. */
function yieldsHidden({ words, assignments }: Unit): boolean {
  if (assignments.some(({ name, value }) => name === 'GLOBIGNORE' || (name === 'BASHOPTS' && /dotglob|\$/.test(value.source)))) return true
  return words.some(
    ({ value, source }) =>
      (value !== null && /^(?:dotglob|glob_?dots|GLOBIGNORE=.*|BASHOPTS=.*dotglob.*)$/i.test(value)) || ZSH_DOTS.test(source),
  )
}

/** A qualifier of zsh: `rm -rf *(D)`, `*(.D)`. */
const ZSH_DOTS = /[*?\]]\((?:#q)?[^()|/]*D[^()|/]*\)$/

/** `shopt -s nocaseglob`: `.EN?` is `.env` too. */
function foldsCase({ words }: Unit): boolean {
  return words.some(({ value }) => value !== null && /^(?:nocaseglob|no_?case_?glob)$/i.test(value))
}

function withFoldedCase(input: JudgeInput): JudgeInput {
  const { places } = input
  return { ...input, places: { ...places, anchors: { ...places.anchors, caseInsensitive: true } } }
}

function judgeLikely(input: JudgeInput, effect: FileEffect): PartJudgement | null {
  const { path: word, base, span } = effect
  if (word.value === null || base === null) return null
  if (word.glob) return judgeLikelyGlob(input, effect)
  const path = resolveAt(input, word.value, base)
  const rule = findRuleAbout(input, path, LIKELY_TOOLS)
  const protectedPaths = input.context.selfProtection ? input.places.protectedPaths : null
  const isFree = protectedPaths === null || isUnprotected(path, protectedPaths)
  if (rule === null && isFree) return null
  const protection = isFree ? null : protectLikely(access => protectPath(access, path, protectedPaths))
  if (rule === null && protection === null) return null
  const part = {
    what: 'effect',
    source: word.source,
    span,
    normal: path.lexical,
    path: { lexical: path.lexical, real: path.real },
  } as const
  if (protection !== null) return judged(part, protection)
  return rule === null ? null : judged(part, { decision: 'ask', match: 'may', rule, reason: mayTouch(path.lexical, rule, effect) })
}

/** Only a rule about certain files speaks here: one about all of them would ask about every program nobody described. */
export function findLikelyRule(
  input: JudgeInput,
  path: string,
  base: string,
  tools: readonly ('Read' | 'Write')[] = LIKELY_TOOLS,
): Rule | null {
  return findRuleAbout(input, resolveAt(input, path, base), tools)
}

/** What a program that nobody described does with a file, nobody knows. */
const LIKELY_TOOLS = ['Read', 'Write'] as const

function findRuleAbout({ compiled, places }: JudgeInput, path: ResolvedPath, tools: readonly ('Read' | 'Write')[]): Rule | null {
  let view: PathView | null = null
  for (const { index, tool } of pathRulesOf(compiled)) {
    if (!tools.includes(tool)) continue
    view ??= viewPath(path, places.anchors)
    const rule = findPathRule(index, tool, view, 'certain files')
    if (rule !== null) return rule
  }
  return null
}

interface PathRules {
  readonly index: EffectIndex
  readonly tool: 'Read' | 'Write'
}

const pathRules = new WeakMap<CompiledPermissions, readonly PathRules[]>()

/** The deny and ask rules about certain files: most policies have some for one tool, many for none. */
function pathRulesOf(compiled: CompiledPermissions): readonly PathRules[] {
  const known = pathRules.get(compiled)
  if (known !== undefined) return known
  const all = LIKELY_TOOLS.flatMap(tool => [compiled.deny, compiled.ask].map((index): PathRules => ({ index, tool })))
  const found = all.filter(({ index, tool }) => rulesFor(index, tool).some(({ paths }) => paths !== null))
  pathRules.set(compiled, found)
  return found
}

function judgeLikelyGlob(input: JudgeInput, effect: FileEffect): PartJudgement | null {
  const { path: word, base } = effect
  const { selfProtection } = input.context
  const protection = selfProtection ? protectLikely(access => protectWord({ word, base, access }, input.places.protectedPaths)) : null
  if (protection !== null) return judged(unknownFile(effect, word), protection)
  // One that may begin with anything names no file more than another.
  if (word.parts[0]?.kind === 'glob') return null
  const file = { word, base, yieldsHidden: false }
  const rule =
    mayMatchCertain(input, input.compiled.deny, toolOf(effect), file) ?? mayMatchCertain(input, input.compiled.ask, toolOf(effect), file)
  return rule === null ? null : forbidden(unknownFile(effect, word), rule, 'may')
}

/** A program that nobody described may do anything to a file it is given. */
function protectLikely(protect: (access: 'read' | 'write') => Protection | null): Protection | null {
  const read = protect('read')
  if (read !== null) return read
  const write = protect('write')
  return write === null ? null : { decision: 'ask', reason: write.reason }
}

function mayTouch(path: string, rule: Rule, { access }: FileEffect): string {
  const [kept, may] = access === 'read' ? ['being read', 'read'] : ['change', 'change']
  return `${path} is a file that ${describeRule(rule)} keeps from ${kept}, and this program may ${may} it`
}

interface NamedUse {
  readonly follow: NameFollower
  readonly user: (effect: FileEffect) => EffectUser
}

/** A file under a name that this very line gave it: deny and ask rules hold for what it is. */
function judgeNamed(input: JudgeInput, effect: FileEffect, { follow, user }: NamedUse): readonly PartJudgement[] {
  const reached = follow(effect)
  if (reached === null) {
    return [
      judged(unknownFile(effect, effect.path), { decision: 'ask', reason: 'the line gives more names to files than can be followed' }),
    ]
  }
  return reached.flatMap(one => {
    const part = one.role === 'guess' ? judgeLikely(input, one) : judgeWord(input, one, one.path, user(one))
    return part !== null && (part.decision === 'deny' || part.decision === 'ask') ? [part] : []
  })
}

/** Only a rule that keeps all of a folder speaks of the names in it: that there is a `.env`, everybody may see. */
function judgeListing(input: JudgeInput, effect: FileEffect): PartJudgement | null {
  const { path: word, base } = effect
  if (word.value === null || (base === null && !word.value.startsWith('/'))) return null
  // A bare star is aimed at nothing.
  if (word.glob && /(?:^|\/)[*?]+\/?$/.test(word.value)) return null
  const inside = makeWord([...word.parts, { kind: 'text', value: `/${ANY_NAME}` }], word.source)
  const rule = word.glob ? listedRule(input, inside, base) : findLikelyRule(input, inside.value ?? '', base ?? '/', ['Read'])
  if (rule?.spec?.kind !== 'path' || rule.spec.anchor === 'name') return null
  const reason = `${word.source} is a folder that ${describeRule(rule)} keeps from being read, and this shows the names in it`
  return judged(unknownFile(effect, word), { decision: 'ask', match: 'may', rule, reason })
}

const ANY_NAME = '\u2047name\u2047'

function listedRule(input: JudgeInput, word: Word, base: string | null): Rule | null {
  const file = { word, base, yieldsHidden: false }
  return mayMatchPath(input, input.compiled.deny, 'Read', file) ?? mayMatchPath(input, input.compiled.ask, 'Read', file)
}

const treeTakers = new WeakMap<Unit, (path: Word) => boolean>()

interface EffectUser {
  /** The command takes everything below the path along. */
  readonly isTree: boolean
  /** The command's own allow covers the write (`rm x`). */
  readonly isOwn: boolean
  /** The command looks at names and figures only (`ls`). */
  readonly isOnlooking: boolean
  /** Globs of this line yield names with a leading dot. */
  readonly yieldsHidden: boolean
}

function effectUser(effect: FileEffect, unit: Unit | undefined, yieldsHidden: boolean): EffectUser {
  const isOnlooking = effect.cause === 'argument' && unit !== undefined && onlyLooks(unit)
  if (unit === undefined || effect.access === 'read' || effect.cause === 'redirect')
    return { isTree: false, isOwn: false, isOnlooking, yieldsHidden }
  const takesTree = treeTakers.get(unit) ?? treeTaker(unit.words)
  treeTakers.set(unit, takesTree)
  return { isTree: takesTree(effect.path), isOwn: effect.role === 'deny-only' && unit.role === 'full', isOnlooking, yieldsHidden }
}

/** They print figures of what they read. */
const FIGURES = /^(?:wc|du|file|cksum|sum|crc32|md5|md5sum|sha\d+sum|shasum|b2sum)$/

const onlookingUnits = new WeakMap<Unit, boolean>()

/** Told once of a command, which may have thousands of files. */
function onlyLooks(unit: Unit): boolean {
  const known = onlookingUnits.get(unit) ?? looksOnly(unit)
  onlookingUnits.set(unit, known)
  return known
}

/** Looks at names and figures, or takes whole trees along, links as links (`cp -r public/* dist`). */
function looksOnly({ words }: Unit): boolean {
  const program = baseName(words[0]?.value ?? '')
  if (FIGURES.test(program) || isOnlooker(program)) return true
  return /^(?:cp|rsync)$/.test(program) && words.some(({ value }) => /^-(?:[a-zA-Z]*[rRa]|-recursive|-archive)/.test(value ?? ''))
}

function judgeWord(input: JudgeInput, effect: FileEffect, word: Word, user: EffectUser): PartJudgement {
  const value = word.value
  const isPlaced = value !== null && (effect.base !== null || value.startsWith('/'))
  if (!isPlaced) return judgeUnknown(input, effect, word, user)
  if (!word.glob) return judgeFile(input, fileUse(effect, word, user, value))
  const certain = judgeFile(input, fileUse(effect, word, user, fillGlobs(word)))
  if (certain.decision === 'deny') return certain
  return judgeMay(input, effect, word, user) ?? certain
}

function fileUse(effect: FileEffect, word: Word, { isTree, isOwn }: EffectUser, path: string): FileUse {
  return {
    tool: toolOf(effect),
    access: isTree ? 'tree' : effect.access,
    path,
    base: effect.base ?? '/',
    needsAllow: effect.role === 'full',
    isOwn,
    part: { what: 'effect', source: word.source, span: effect.span },
  }
}

function toolOf(effect: FileEffect): 'Read' | 'Write' {
  return effect.access === 'read' ? 'Read' : 'Write'
}

/** Protection, or a deny or ask rule, that holds for some file the word could name. */
function judgeMay(
  input: JudgeInput,
  effect: FileEffect,
  word: Word,
  { isTree, yieldsHidden, isOnlooking }: EffectUser,
): PartJudgement | null {
  const file = { word, base: effect.base, yieldsHidden }
  const { deny, ask } = input.compiled
  const access = isTree ? 'tree' : effect.access
  const protection = input.context.selfProtection ? protectWord({ ...file, access, yieldsHidden }, input.places.protectedPaths) : null
  if (protection?.decision === 'deny') return judged(unknownFile(effect, word), protection)
  const rule = mayMatchPath(input, deny, toolOf(effect), file) ?? mayMatchPath(input, ask, toolOf(effect), file)
  if (rule !== null) return forbidden(unknownFile(effect, word), rule, 'may')
  const linked = word.glob ? judgeGlobLinks(input, { effect, file, isOnlooking }) : null
  if (linked !== null) return linked
  return protection === null ? null : judged(unknownFile(effect, word), protection)
}

function judgeUnknown(input: JudgeInput, effect: FileEffect, word: Word, user: EffectUser): PartJudgement {
  const may = judgeMay(input, effect, word, user)
  if (may !== null) return may
  const part = unknownFile(effect, word)
  const what = `which file ${word.source} is, is known only when it runs`
  if (effect.access === 'write') return judged(part, { decision: 'ask', reason: what })
  if (effect.role === 'full') return uncovered(part, what)
  return judged(part, { decision: 'neutral', reason: 'no rule forbids any file it could be' })
}

function unknownFile(effect: FileEffect, word: Word): JudgedPart {
  return { what: 'effect', source: word.source, normal: word.source, span: effect.span }
}
