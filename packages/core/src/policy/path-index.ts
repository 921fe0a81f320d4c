// All path rules of one effect, found by the segments a path begins with or by its base name.
// Keys are folded, so one index serves file systems with and without case; what is found is then compared exactly.
import { foldCase } from '../match/path/fold-case.ts'
import { below, type PathAnchors } from '../match/path/path-anchors.ts'
import { compilePathPattern, type PathPattern, type PathSpec } from '../match/path/path-pattern.ts'
import type { PathPlace } from '../match/path/path-view.ts'
import type { Rule } from './rule.ts'
import { type TrieKey, WordTrie } from './word-trie.ts'

export interface PathRule {
  readonly rule: Rule
  readonly order: number
  readonly spec: PathSpec
  readonly pattern: () => PathPattern
}

export interface PathIndex {
  readonly root: WordTrie<PathRule>
  readonly home: WordTrie<PathRule>
  readonly absolute: WordTrie<PathRule>
  readonly names: WordTrie<PathRule>
  /** Base-name patterns that begin with a wildcard, by what they end in (`*.key`). */
  readonly nameEnds: Map<string, PathRule[]>
  readonly endLengths: Set<number>
  /** First segments of absolute patterns, by their key: one of them may be a link (`/tmp`). */
  readonly tops: Map<string, string>
  readonly all: PathRule[]
}

export function createPathIndex(): PathIndex {
  return {
    root: new WordTrie(),
    home: new WordTrie(),
    absolute: new WordTrie(),
    names: new WordTrie(),
    nameEnds: new Map(),
    endLengths: new Set(),
    tops: new Map(),
    all: [],
  }
}

export function createPathRule(rule: Rule, order: number, spec: PathSpec): PathRule {
  let made: PathPattern | null = null
  const literalQuestionMark = rule.dialect !== 'genesis'
  return {
    rule,
    order,
    spec,
    pattern() {
      made ??= compilePathPattern(spec, { effect: rule.effect, literalQuestionMark })
      return made
    },
  }
}

export function addPathRule(index: PathIndex, rule: PathRule): void {
  index.all.push(rule)
  const { anchor } = rule.spec
  const pattern = foldCase(rule.spec.pattern.replace(/^\/+/, ''))
  if (anchor === 'name') {
    addName(index, pattern, rule)
    return
  }
  const key = segmentKey(pattern)
  index[anchor].add(key, rule)
  const top = key.words[0]
  if (anchor === 'absolute' && top !== undefined) index.tops.set(top, `/${rule.spec.pattern.replace(/^\/+/, '').split('/')[0] ?? ''}`)
}

/** Every rule that can match at this place; `visit` sees some more than once. */
export function visitPathRules(index: PathIndex, place: PathPlace, anchors: PathAnchors, visit: (rule: PathRule) => void): void {
  const seen = (rule: PathRule): boolean => {
    visit(rule)
    return false
  }
  const { root, home, absolute, names } = index
  if (place.inRoot !== null) {
    const slash = place.inRoot.indexOf('/')
    const hasNames = !names.isEmpty() || index.endLengths.size > 0
    if (hasNames || root.reaches(foldCase(slash < 0 ? place.inRoot : place.inRoot.slice(0, slash)))) {
      const segments = foldCase(place.inRoot).split('/')
      root.visit(segments, seen)
      if (hasNames) visitNames(index, segments, seen)
    }
  }
  if (place.inHome !== null && !home.isEmpty()) home.visit(foldCase(place.inHome).split('/'), seen)
  if (absolute.isEmpty()) return
  absolute.visit(foldCase(place.absolute).slice(1).split('/'), seen)
  for (const [key, top] of index.tops) {
    const rest = below(place.absolute, anchors.realTop(top))
    if (rest !== null) index.absolute.visit([key, ...foldCase(rest).split('/')], seen)
  }
}

function addName(index: PathIndex, pattern: string, rule: PathRule): void {
  const wild = pattern.search(/[*?]/)
  if (wild === -1) index.names.add({ words: [pattern], partial: '' }, rule)
  else if (wild > 0) index.names.add({ words: [], partial: pattern.slice(0, wild) }, rule)
  else {
    const end = /[^*?]*$/.exec(pattern)?.[0] ?? ''
    index.endLengths.add(end.length)
    const same = index.nameEnds.get(end)
    if (same === undefined) index.nameEnds.set(end, [rule])
    else same.push(rule)
  }
}

function visitNames(index: PathIndex, segments: readonly string[], seen: (rule: PathRule) => boolean): void {
  for (const segment of segments) index.names.visit([segment], seen)
  const base = segments.at(-1) ?? ''
  for (const length of index.endLengths) {
    if (length > base.length) continue
    for (const rule of index.nameEnds.get(base.slice(base.length - length)) ?? []) seen(rule)
  }
}

function segmentKey(pattern: string): TrieKey {
  const segments = pattern === '' ? [] : pattern.replace(/\/$/, '').split('/')
  const wild = segments.findIndex(segment => /[*?]/.test(segment))
  if (wild === -1) return { words: segments, partial: '' }
  const segment = segments[wild] ?? ''
  return { words: segments.slice(0, wild), partial: segment.slice(0, segment.search(/[*?]/)) }
}
