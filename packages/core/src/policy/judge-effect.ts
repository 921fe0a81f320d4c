// The file effects of one command line: redirections, operands that are read or written.
import { viewPath } from '../match/path/path-view.ts'
import { treeTaker } from '../match/path/protect-command.ts'
import type { FileEffect, ShellAnalysis, Unit, Word } from '../match/shell/shell-analysis.ts'
import { wordChoices } from '../match/shell/word.ts'
import { rulesFor } from './compile-rules.ts'
import { type Bench, describeRule, forbidden, judged, resolveAt, type Subject, uncovered } from './judge-part.ts'
import { type FileUse, findPathRule, judgeFile } from './judge-path.ts'
import { fillGlobs, mayMatchPath } from './judge-path-holes.ts'
import type { PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export function judgeEffects(bench: Bench, { units, effects }: ShellAnalysis): PartJudgement[] {
  const judgedUses = new Map<string, PartJudgement>()
  const parts: PartJudgement[] = []
  for (const effect of effects) {
    if (effect.role === 'guess') {
      const likely = judgeLikely(bench, effect)
      if (likely !== null) parts.push(likely)
      continue
    }
    const user = effectUser(effect, units[effect.unit])
    for (const word of wordChoices(effect.path)) {
      const key = `${user.isTree}${user.isGuess}${effect.access}${effect.role}${effect.base}\0${word.source}\0${word.value}`
      const known = word.value === null ? undefined : judgedUses.get(key)
      const part = known === undefined ? judgeWord(bench, effect, word, user) : { ...known, span: effect.span }
      judgedUses.set(key, part)
      parts.push(part)
    }
  }
  return parts
}

/** Only a rule about certain files speaks here: one about all of them would ask about every program nobody described. */
function judgeLikely(bench: Bench, { path: { value, source }, base, span }: FileEffect): PartJudgement | null {
  const indexes = [bench.compiled.deny, bench.compiled.ask].filter(index => rulesFor(index, 'Read').some(({ paths }) => paths !== null))
  if (value === null || base === null || indexes.length === 0) return null
  const path = resolveAt(bench, value, base)
  const view = viewPath(path, bench.places.anchors)
  for (const index of indexes) {
    const rule = findPathRule(index, 'Read', view, 'certain files')
    const subject = { what: 'effect', source, span, normal: path.lexical, path: { lexical: path.lexical, real: path.real } } as const
    if (rule !== null) return judged(subject, { decision: 'ask', match: 'may', rule, reason: mayRead(path.lexical, rule) })
  }
  return null
}

function mayRead(path: string, rule: Rule): string {
  return `${path} is a file that ${describeRule(rule)} keeps from being read, and this program may read it`
}

interface EffectUser {
  /** The command takes everything below the path along. */
  readonly isTree: boolean
  /** Removing a file or changing its mode is not what a rule for Write speaks of, but close enough to ask. */
  readonly isGuess: boolean
}

const treeTakers = new WeakMap<Unit, (path: Word) => boolean>()

function effectUser(effect: FileEffect, unit: Unit | undefined): EffectUser {
  if (unit === undefined || effect.access === 'read' || effect.cause === 'redirect') return { isTree: false, isGuess: false }
  const takesTree = treeTakers.get(unit) ?? treeTaker(unit.words)
  treeTakers.set(unit, takesTree)
  return { isTree: takesTree(effect.path), isGuess: effect.role === 'deny-only' && unit.role === 'full' }
}

function judgeWord(bench: Bench, effect: FileEffect, word: Word, user: EffectUser): PartJudgement {
  const value = word.value
  const isPlaced = value !== null && (effect.base !== null || value.startsWith('/'))
  if (!isPlaced) return judgeUnknown(bench, effect, word)
  if (!word.glob) return judgeFile(bench, fileUse(effect, word, user, value))
  const certain = judgeFile(bench, fileUse(effect, word, user, fillGlobs(word)))
  if (certain.decision === 'deny') return certain
  return judgeMay(bench, effect, word) ?? certain
}

function fileUse(effect: FileEffect, word: Word, { isTree, isGuess }: EffectUser, path: string): FileUse {
  return {
    tool: toolOf(effect),
    access: isTree ? 'tree' : effect.access,
    path,
    base: effect.base ?? '/',
    needsAllow: effect.role === 'full',
    isGuess,
    subject: { what: 'effect', source: word.source, span: effect.span },
  }
}

function toolOf(effect: FileEffect): 'Read' | 'Write' {
  return effect.access === 'read' ? 'Read' : 'Write'
}

/** A deny or ask rule that holds for some file the word could name. */
function judgeMay(bench: Bench, effect: FileEffect, word: Word): PartJudgement | null {
  const file = { word, base: effect.base }
  const { deny, ask } = bench.compiled
  const rule = mayMatchPath(bench, deny, toolOf(effect), file) ?? mayMatchPath(bench, ask, toolOf(effect), file)
  return rule === null ? null : forbidden(unknownFile(effect, word), rule, 'may')
}

function judgeUnknown(bench: Bench, effect: FileEffect, word: Word): PartJudgement {
  const may = judgeMay(bench, effect, word)
  if (may !== null) return may
  const subject = unknownFile(effect, word)
  const what = `which file ${word.source} is, is known only when it runs`
  if (effect.access === 'write') return judged(subject, { decision: 'ask', reason: what })
  if (effect.role === 'full') return uncovered(subject, what)
  return judged(subject, { decision: 'neutral', reason: 'no rule forbids any file it could be' })
}

function unknownFile(effect: FileEffect, word: Word): Subject {
  return { what: 'effect', source: word.source, normal: word.source, span: effect.span }
}
