// One file effect of a command: a redirection, an operand that is read or written.
import { takesTree } from '../match/path/protect-command.ts'
import type { FileEffect, Unit, Word } from '../match/shell/shell-analysis.ts'
import { wordChoices } from '../match/shell/word.ts'
import { type Bench, forbidden, judged, type Subject, uncovered } from './judge-part.ts'
import { type FileUse, judgeFile } from './judge-path.ts'
import { fillGlobs, mayMatchPath } from './judge-path-holes.ts'
import type { PartJudgement } from './judgement.ts'

export function judgeEffect(bench: Bench, effect: FileEffect, unit: Unit | undefined): PartJudgement[] {
  return wordChoices(effect.path).map(word => judgeWord(bench, effect, unit, word))
}

function judgeWord(bench: Bench, effect: FileEffect, unit: Unit | undefined, word: Word): PartJudgement {
  const value = word.value
  const isPlaced = value !== null && (effect.base !== null || value.startsWith('/'))
  if (!isPlaced) return judgeUnknown(bench, effect, word)
  if (!word.glob) return judgeFile(bench, fileUse(effect, unit, word, value))
  const certain = judgeFile(bench, fileUse(effect, unit, word, fillGlobs(word)))
  if (certain.decision === 'deny') return certain
  return judgeMay(bench, effect, word) ?? certain
}

function fileUse(effect: FileEffect, unit: Unit | undefined, word: Word, path: string): FileUse {
  const isArgument = effect.cause === 'argument'
  const isTree = effect.access === 'write' && isArgument && takesTree(unit?.words ?? [], effect.path)
  return {
    tool: toolOf(effect),
    access: isTree ? 'tree' : effect.access,
    path,
    base: effect.base ?? '/',
    needsAllow: effect.role === 'full',
    // Removing a file or changing its mode is not what a rule for Write speaks of, but close enough to ask.
    isGuess: effect.access === 'write' && effect.role === 'deny-only' && isArgument && unit?.role === 'full',
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
