// A glob that yields links (`cat src/*` where src/z leads to .env): the rules hold for what they lead to.
// The disk says which names are links. Where there is none to look at, a pattern that names its files by no more than a letter or a
// folder may be one.
import { expandGlob } from '../match/path/expand-glob.ts'
import { viewPath } from '../match/path/path-view.ts'
import { type WordSegment, wordSegments } from '../match/path/word-segments.ts'
import type { FileEffect } from '../match/shell/shell-analysis.ts'
import { anyBelow } from '../match/shell/word.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import { describeRule, forbidden, type JudgedPart, type JudgeInput, judged, resolveAt } from './judge-part.ts'
import { findPathRule } from './judge-path.ts'
import type { PartlyKnownFile } from './judge-unknown-path.ts'
import type { PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export interface GlobUse {
  readonly effect: FileEffect
  readonly file: PartlyKnownFile
  /** The command looks at names and figures only. */
  readonly isOnlooking: boolean
}

export function judgeGlobLinks(input: JudgeInput, { effect, file, isOnlooking }: GlobUse): PartJudgement | null {
  const tool = effect.access === 'read' ? 'Read' : 'Write'
  const indexes = [input.compiled.deny, input.compiled.ask]
  const about = indexes.find(index => aboutCertainFiles(index, tool) !== null)
  if (about === undefined) return null
  const { base, yieldsHidden, word } = file
  const { files } = input.context
  const { segments, hasUnknown, isPlaced } = wordSegments(word, {
    base,
    yieldsHidden,
    caseInsensitive: input.places.anchors.caseInsensitive,
  })
  if (hasUnknown || !isPlaced) return null
  for (const { path, throughLink } of expandGlob(segments, files.knownNames) ?? []) {
    const found = throughLink ? findRule(input, indexes, { tool, path }) : null
    if (found !== null) return forbidden(subjectOf(effect, path), found, 'must')
  }
  const isFollowed = effect.access === 'read' ? !isOnlooking : effect.cause === 'redirect'
  const rule = aboutCertainFiles(about, tool)
  // A search names what it looks for.
  const isSearch = word.parts.includes(anyBelow)
  if (files.knowsLinks || !isFollowed || rule === null || isSearch || namesByEnd(segments)) return null
  const reason = `${word.source} may be a link, and what it leads to a file that ${describeRule(rule)} is about`
  return judged(subjectOf(effect, word.source), { decision: 'ask', match: 'may', rule, reason })
}

function findRule(input: JudgeInput, indexes: readonly EffectIndex[], { tool, path }: { tool: string; path: string }): Rule | null {
  const view = viewPath(resolveAt(input, path, '/'), input.places.anchors)
  for (const index of indexes) {
    const rule = findPathRule(index, tool, view)
    if (rule !== null) return rule
  }
  return null
}

/** The first rule about certain files. */
function aboutCertainFiles(index: EffectIndex, tool: string): Rule | null {
  for (const { paths } of rulesFor(index, tool)) if (paths !== null && paths.all.length > 0) return paths.all[0]?.rule ?? null
  return null
}

/** `*.ts`, `src/*.test.js`, `packages/* /package.json`: files that people name by what they end in. */
function namesByEnd(segments: readonly WordSegment[]): boolean {
  return /\.\w/.test(segments.at(-1)?.text ?? '')
}

function subjectOf(effect: FileEffect, normal: string): JudgedPart {
  return { what: 'effect', source: effect.path.source, normal, span: effect.span }
}
