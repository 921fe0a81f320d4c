// Self-protection of files: what an agent may not write, or read, whatever the rules say. Lexical or real path decides,
// whichever is stricter. Judged by segment through a map from the first segment of a row, so the table may grow.
import type { FileView } from './file-view.ts'
import { below, createPathAnchors, spellPath } from './path-anchors.ts'
import { type ProtectedPlace, protectedPlaces } from './protected-place.ts'
import type { ResolvedPath } from './resolve-path.ts'

/** `tree`: a write that takes everything below along (`rm -r`, `mv`, `chmod -R`). */
export type PathAccess = 'read' | 'write' | 'tree'

export interface Protection {
  readonly decision: 'deny' | 'ask'
  readonly reason: string
}

/** Made once for a root, home and state directory. */
export interface ProtectedPaths {
  readonly caseInsensitive: boolean
  /** Rows that stand anywhere, by their first segment. */
  readonly anywhere: ReadonlyMap<string, readonly ProtectedRow[]>
  /** Rows at one place, by their absolute path. */
  readonly fixed: ReadonlyMap<string, readonly ProtectedPlace[]>
  /** Length of the longest of those paths. */
  readonly longestFixed: number
  /** The project root, as written and as it really is: its loss would take the policy along. */
  readonly roots: readonly string[]
}

interface ProtectedRow {
  readonly segments: readonly string[]
  readonly place: ProtectedPlace
}

export interface ProtectContext {
  readonly root: string
  readonly home: string
  /** Where Belay keeps its state. */
  readonly belayHome: string
  readonly files: FileView
}

export function createProtectedPaths(context: ProtectContext): ProtectedPaths {
  const { files } = context
  const anchors = createPathAnchors(context)
  const caseInsensitive = anchors.caseInsensitive || files.isCaseInsensitive(context.home)
  const spell = (path: string): string => spellPath(path, caseInsensitive)
  const follow = (path: string): string => {
    const real = files.realPath(path)
    return spell(real.ok ? real.path : path)
  }
  const anywhere = new Map<string, ProtectedRow[]>()
  const fixed = new Map<string, ProtectedPlace[]>()
  const fix = (path: string, place: ProtectedPlace): void => void fixed.set(path, [...(fixed.get(path) ?? []), place])
  for (const place of protectedPlaces) {
    const absolute = absolutePlace(place.path, context)
    if (absolute !== null) {
      for (const path of new Set([spell(absolute), follow(absolute)])) fix(path, place)
      continue
    }
    const segments = place.path.split('/').map(spell)
    const first = segments[0] ?? ''
    anywhere.set(first, [...(anywhere.get(first) ?? []), { segments, place }])
  }
  fix(spell(`${context.root}/hooks.toml`), { path: 'hooks.toml', write: 'deny', what: "Belay's hooks" })
  const longestFixed = Math.max(...[...fixed.keys()].map(path => path.length))
  return { caseInsensitive, anywhere, fixed, longestFixed, roots: [spell(context.root), follow(context.root)] }
}

export function protectPath(access: PathAccess, path: ResolvedPath, protectedPaths: ProtectedPaths): Protection | null {
  const lexical = protectOne(access, path.lexical, protectedPaths)
  if (path.real === null || path.real === path.lexical) return lexical
  return stricter(lexical, protectOne(access, path.real, protectedPaths))
}

/** The stricter of two; the first when they are equal. */
export function stricter(a: Protection | null, b: Protection | null): Protection | null {
  if (a === null) return b
  return b?.decision === 'deny' && a.decision === 'ask' ? b : a
}

function absolutePlace(path: string, context: ProtectContext): string | null {
  if (path.startsWith('~/')) return `${context.home}/${path.slice(2)}`
  if (path === 'BELAY_HOME' || path.startsWith('BELAY_HOME/')) return context.belayHome + path.slice('BELAY_HOME'.length)
  return path.startsWith('/') ? path : null
}

function protectOne(access: PathAccess, given: string, protectedPaths: ProtectedPaths): Protection | null {
  const path = spellPath(given, protectedPaths.caseInsensitive)
  let found: Protection | null = null
  for (const place of placesAt(access, path, protectedPaths)) found = stricter(found, judgePlace(access, given, place))
  if (access === 'tree' && protectedPaths.roots.some(root => below(root, path) !== null)) {
    const reason = `${given} holds Belay's policy; agents may not move, remove or change it whole`
    found = stricter(found, { decision: 'deny', reason })
  }
  return found
}

function placesAt(access: PathAccess, path: string, protectedPaths: ProtectedPaths): ProtectedPlace[] {
  const found: ProtectedPlace[] = []
  const segments = path.split('/')
  let prefix = ''
  for (const [index, segment] of segments.entries()) {
    if (prefix.length <= protectedPaths.longestFixed) {
      if (index > 0) prefix += `/${segment}`
      found.push(...(protectedPaths.fixed.get(prefix) ?? []))
    }
    for (const row of protectedPaths.anywhere.get(segment) ?? []) {
      if (coversRow(access, segments, index, row)) found.push(row.place)
    }
  }
  if (access !== 'tree') return found
  for (const [fixedPath, places] of protectedPaths.fixed) if (below(fixedPath, path) !== null) found.push(...places)
  return found
}

/** Every segment of the row stands at `index`; for a tree the path may also end before the row does. */
function coversRow(access: PathAccess, segments: readonly string[], index: number, row: ProtectedRow): boolean {
  const there = segments.slice(index, index + row.segments.length)
  if (there.length < row.segments.length && access !== 'tree') return false
  return there.every((segment, offset) => segment === row.segments[offset])
}

function judgePlace(access: PathAccess, path: string, place: ProtectedPlace): Protection | null {
  if (access === 'read') {
    return place.read === undefined ? null : { decision: 'deny', reason: `${path} belongs to ${place.what}; agents may not read it` }
  }
  if (place.write === 'deny') return { decision: 'deny', reason: `${path} belongs to ${place.what}; agents may not change it` }
  return { decision: 'ask', reason: `${path} is ${place.what}; a person must agree to a change` }
}
