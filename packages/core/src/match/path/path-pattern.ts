// Path rules: how their text is read, and whether one matches a path. A deny or ask rule holds when either the lexical or
// the real path matches, an allow rule only when both do; that choice is the caller's, who gets both answers.
// Relative rules never match outside the root.
import { below, type PathAnchors, spellPath } from './path-anchors.ts'
import { compilePathGlob, type PathGlob, pathGlobMatches } from './path-glob.ts'
import type { PathPlace, PathView } from './path-view.ts'

export type PathAnchor = 'name' | 'root' | 'absolute' | 'home'

export interface PathSpec {
  readonly anchor: PathAnchor
  /** Without its anchor: `.ssh/*` for `~/.ssh/*`, `tmp/*` for `/tmp/*`. */
  readonly pattern: string
}

export type ParsedPathSpec = { readonly ok: true; readonly spec: PathSpec } | { readonly ok: false; readonly problem: string }

/**
 * `x` is a base name at any depth, `a/x` and `./x` hang on the root, `~/x` on the home, `//x` on `/`. A single leading
 * slash means `/` in genesis rules and the root in Claude's (there: the directory of the settings file).
 */
export function parsePathSpec(text: string, leadingSlash: 'absolute' | 'root'): ParsedPathSpec {
  if (text.includes('\0')) return { ok: false, problem: 'a path pattern cannot hold a NUL character' }
  const spec = splitAnchor(text, leadingSlash)
  if (spec.pattern === '' && spec.anchor === 'name') return { ok: false, problem: 'the path pattern is empty' }
  const pattern = dropDots(spec.pattern)
  if (pattern === null) {
    return { ok: false, problem: `"${text}" leads outside its anchor, where it could never match; write an absolute path` }
  }
  return { ok: true, spec: { anchor: spec.anchor, pattern } }
}

export interface PathPattern {
  readonly anchor: PathAnchor
  /** Any of them. */
  readonly globs: readonly PathGlob[]
  /** The same for file systems where case does not count. */
  readonly foldedGlobs: readonly PathGlob[]
  /** A name rule that also holds for everything below a directory of that name. */
  readonly anySegment: boolean
  /** First segment of an absolute pattern when it is literal, as `/tmp`. */
  readonly top: string | null
}

export interface CompileOptions {
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly literalQuestionMark?: boolean
}

export function compilePathPattern(spec: PathSpec, options: CompileOptions): PathPattern {
  const pattern = spec.pattern.replace(/^\/+/, '')
  if (spec.anchor === 'name' && pattern.includes('/')) return compilePathPattern({ anchor: 'root', pattern: `**/${pattern}` }, options)
  const patterns = spec.anchor === 'name' ? [pattern] : spellings(pattern, options.effect)
  const compile = (caseInsensitive: boolean): PathGlob[] => patterns.map(one => compilePathGlob(spellPath(one, caseInsensitive), options))
  const first = /^[^/*?]+(?=\/|$)/.exec(pattern)?.[0]
  return {
    anchor: spec.anchor,
    globs: compile(false),
    foldedGlobs: compile(true),
    anySegment: spec.anchor === 'name' && options.effect !== 'allow' && isLiteral(pattern),
    top: spec.anchor === 'absolute' && first !== undefined ? `/${first}` : null,
  }
}

export interface PathMatch {
  readonly lexical: boolean
  readonly real: boolean
}

export function pathMatches(pattern: PathPattern, path: PathView): PathMatch {
  const lexical = matchesOne(pattern, path.lexical, path.anchors)
  if (path.real === path.lexical) return { lexical, real: lexical }
  return { lexical, real: path.real !== null && matchesOne(pattern, path.real, path.anchors) }
}

function splitAnchor(text: string, leadingSlash: 'absolute' | 'root'): PathSpec {
  if (text === '~' || text.startsWith('~/')) return { anchor: 'home', pattern: text.slice(2) }
  if (text.startsWith('//')) return { anchor: 'absolute', pattern: text.replace(/^\/+/, '') }
  if (text.startsWith('/')) return { anchor: leadingSlash, pattern: text.slice(1) }
  return { anchor: text.includes('/') ? 'root' : 'name', pattern: text }
}

/** Drops `.` and doubled slashes and applies `..`; null when `..` leads above the start or cannot be applied to a glob. */
function dropDots(pattern: string): string | null {
  const kept: string[] = []
  const segments = pattern.split('/')
  for (const [index, segment] of segments.entries()) {
    if (segment === '.' || (segment === '' && index < segments.length - 1)) continue
    if (segment !== '..') kept.push(segment)
    else {
      const parent = kept.pop()
      if (parent === undefined || /[*?]/.test(parent)) return null
    }
  }
  return kept.join('/')
}

/**
 * `src/` is the directory and all below it. A deny or ask rule on a plain name also holds below it, and one on `dir/*`
 * for `dir` itself: copying the directory would carry the files along. An allow rule is taken at its word.
 */
function spellings(pattern: string, effect: CompileOptions['effect']): string[] {
  if (pattern === '') return ['', '*']
  if (pattern.endsWith('/')) return [pattern.slice(0, -1), `${pattern}*`]
  if (effect === 'allow') return [pattern]
  const directory = /^(.*[^/*])\/\*{1,2}$/.exec(pattern)?.[1]
  if (directory !== undefined) return [pattern, directory]
  return isLiteral(pattern) ? [pattern, `${pattern}/*`] : [pattern]
}

function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern)
}

function matchesOne(pattern: PathPattern, path: PathPlace, anchors: PathAnchors): boolean {
  const globs = anchors.caseInsensitive ? pattern.foldedGlobs : pattern.globs
  const matches = (text: string | null): boolean => text !== null && globs.some(glob => pathGlobMatches(glob, text))
  switch (pattern.anchor) {
    case 'home':
      return matches(path.inHome)
    case 'root':
      return matches(path.inRoot)
    case 'name':
      return pattern.anySegment ? path.segments.some(matches) : matches(path.name)
    case 'absolute':
      return matches(path.absolute.slice(1)) || (pattern.top !== null && matches(throughTop(pattern.top, path.absolute, anchors)))
  }
}

/** `/private/tmp/x` as `tmp/x` where `/tmp` is a link to `/private/tmp`. */
function throughTop(top: string, path: string, anchors: PathAnchors): string | null {
  const spelt = spellPath(top, anchors.caseInsensitive)
  const real = anchors.realTop(top)
  const rest = real === spelt ? null : below(path, real)
  if (rest === null) return null
  return rest === '' ? spelt.slice(1) : `${spelt.slice(1)}/${rest}`
}
