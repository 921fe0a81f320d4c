// Self-protection of files: what an agent may not write, or read, whatever the rules say. Lexical or real path decides,
// whichever is stricter. Judged by segment through a map from the first segment of a row, so the table may grow.
import type { FileView } from './file-view.ts'
import { below, createPathAnchors, spellPath } from './path-anchors.ts'
import { neededProgram, ownProgram, type ProtectedPlace, policy, protectedPlaces } from './protected-place.ts'
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
  /** What those segments begin with, by the code of the character. */
  readonly beginnings: Uint8Array
  /** Rows at one place, by their absolute path. */
  readonly fixed: ReadonlyMap<string, readonly ProtectedPlace[]>
  /** The same by their segments. */
  readonly fixedRows: readonly { readonly segments: readonly string[]; readonly places: readonly ProtectedPlace[] }[]
  /** Folders above those paths. */
  readonly aboveFixed: ReadonlySet<string>
  /** Length of the longest of those paths. */
  readonly longestFixed: number
  /** The project root, as written and as it really is: its loss would take the policy along. */
  readonly roots: readonly string[]
  readonly belayHome: string
  readonly ownFiles: readonly string[]
  readonly files: FileView
  /** Where files lie that no other name (hard link) may lead to. */
  /** `below`: no tree may be laid over a folder above one of these. */
  readonly kept: {
    readonly read: readonly string[]
    readonly write: readonly string[]
    readonly homes: readonly string[]
    readonly below: readonly string[]
  }
}

export interface ProtectedRow {
  readonly segments: readonly string[]
  readonly place: ProtectedPlace
}

export interface ProtectContext {
  readonly root: string
  readonly home: string
  /** Where Belay keeps its state. */
  readonly belayHome: string
  /** Files and directories that Belay runs from. */
  readonly ownFiles?: readonly string[]
  /** What these are run by, and load. */
  readonly neededFiles?: readonly string[]
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
  const fixAll = (paths: readonly string[], place: Omit<ProtectedPlace, 'path'>): void => {
    for (const path of paths) for (const one of new Set([spell(path), follow(path)])) fix(one, { path, ...place })
  }
  fixAll(context.ownFiles ?? [], ownProgram)
  fixAll(context.neededFiles ?? [], neededProgram)
  const longestFixed = Math.max(...[...fixed.keys()].map(path => path.length))
  const roots = [spell(context.root), follow(context.root)]
  return {
    caseInsensitive,
    anywhere,
    beginnings: beginningsOf(anywhere.keys()),
    fixed,
    fixedRows: [...fixed].map(([path, places]) => ({ segments: path.split('/').slice(1), places })),
    aboveFixed: new Set([...fixed.keys()].flatMap(foldersAbove)),
    longestFixed,
    roots,
    belayHome: context.belayHome,
    ownFiles: context.ownFiles ?? [],
    files,
    kept: keptPlaces(context, follow),
  }
}

function keptPlaces({ root, home, belayHome }: ProtectContext, follow: (path: string) => string): ProtectedPaths['kept'] {
  const homes = [...new Set([belayHome, `${home}/.belay`])]
  const read = homes.flatMap(path => [`${path}/keys`, `${path}/run`])
  const below = [...new Set(homes.flatMap(path => [path, follow(path)]))]
  return { homes, below, read, write: [...homes, `${root}/.belay`, `${root}/.mentu`, '/etc/belay'] }
}

export function protectPath(access: PathAccess, path: ResolvedPath, protectedPaths: ProtectedPaths): Protection | null {
  const lexical = protectText(access, path.lexical, protectedPaths)
  const real = path.real === null || path.real === path.lexical ? null : protectText(access, path.real, protectedPaths)
  return stricter(lexical, real) ?? protectOtherName(access, path, protectedPaths)
}

/** Whether this file is none that anybody keeps, under any of its names: most are not. */
export function isUnprotected({ lexical, real }: ResolvedPath, protectedPaths: ProtectedPaths): boolean {
  const isFree = (path: string): boolean => placesAt('write', spellPath(path, protectedPaths.caseInsensitive), protectedPaths).length === 0
  if (!isFree(lexical) || (real !== null && real !== lexical && !isFree(real))) return false
  return protectedPaths.files.linkCount(real ?? lexical) < 2
}

/** A hard link: another name for the same file, which no text tells. Removing one of several names harms nothing. */
function protectOtherName(access: PathAccess, { lexical, real }: ResolvedPath, { files, kept }: ProtectedPaths): Protection | null {
  const path = real ?? lexical
  if (access === 'tree' || files.linkCount(path) < 2 || !files.hasNameBelow(path, kept[access])) return null
  return { decision: 'deny', reason: `${path} is another name of a file that belongs to ${policy}; agents may not ${verbOf(access)} it` }
}

/** The stricter of two; the first when they are equal. */
export function stricter(a: Protection | null, b: Protection | null): Protection | null {
  if (a === null) return b
  return b?.decision === 'deny' && a.decision === 'ask' ? b : a
}

function verbOf(access: PathAccess): string {
  return access === 'read' ? 'read' : 'change'
}

function absolutePlace(path: string, context: ProtectContext): string | null {
  if (path.startsWith('~/')) return `${context.home}/${path.slice(2)}`
  if (path === 'BELAY_HOME' || path.startsWith('BELAY_HOME/')) return context.belayHome + path.slice('BELAY_HOME'.length)
  return path.startsWith('/') ? path : null
}

/** What an absolute path says by itself; no link is followed. */
export function protectText(access: PathAccess, given: string, protectedPaths: ProtectedPaths): Protection | null {
  const path = spellPath(given, protectedPaths.caseInsensitive)
  let found: Protection | null = null
  for (const place of placesAt(access, path, protectedPaths)) found = stricter(found, judgePlace(access, given, place))
  for (const place of access === 'tree' ? placesBelow(path, protectedPaths) : [])
    found = stricter(found, judgePlace(access, given, place, 'above'))
  if (access === 'tree' && protectedPaths.roots.some(root => below(root, path) !== null)) {
    const reason = `${given} holds Belay's policy; agents may not move, remove or change it whole`
    found = stricter(found, { decision: 'deny', reason })
  }
  if (access === 'read' && found === null && protectedPaths.kept.homes.includes(path)) {
    return { decision: 'ask', reason: `${given} holds Belay's keys and tokens; a person must agree to reading it whole` }
  }
  return found
}

function placesAt(access: PathAccess, path: string, protectedPaths: ProtectedPaths): readonly ProtectedPlace[] {
  let found: ProtectedPlace[] | null = null
  const { fixed, aboveFixed, longestFixed } = protectedPaths
  // A path of Windows begins with its drive.
  const head = path.startsWith('/') ? 0 : path.indexOf('/')
  let isElsewhere = head < 0
  let segments: readonly string[] | null = null
  for (let start = 0, index = 0; start <= path.length; index++) {
    const next = path.indexOf('/', start)
    const end = next < 0 ? path.length : next
    if (!isElsewhere) {
      const prefix = path.slice(head, end)
      const places = fixed.get(prefix)
      if (places !== undefined) found = [...(found ?? []), ...places]
      // Below a folder that holds none of them there is none.
      isElsewhere = end - head > longestFixed || (end > head && !aboveFixed.has(prefix))
    }
    if (!mayBeginRow(path, start, protectedPaths)) {
      start = end + 1
      continue
    }
    for (const row of rowsAt(path.slice(start, end), protectedPaths)) {
      segments ??= path.split('/')
      if (!coversRow(access, segments, index, row)) continue
      found ??= []
      found.push(row.place)
    }
    start = end + 1
  }
  return found ?? NO_PLACES
}

const NO_PLACES: readonly ProtectedPlace[] = []

function beginningsOf(names: Iterable<string>): Uint8Array {
  const found = new Uint8Array(128)
  for (const name of names) if (name.charCodeAt(0) < 128) found[name.charCodeAt(0)] = 1
  return found
}

/** One look tells for most names that no row begins with them. */
function mayBeginRow(path: string, start: number, { beginnings }: ProtectedPaths): boolean {
  const code = path.charCodeAt(start)
  return !(code < 128) || beginnings[code] === 1
}

/** Rows that begin with this name. The folder of the sockets may have a name that ends in a hash. */
export function rowsAt(segment: string, { anywhere }: ProtectedPaths): readonly ProtectedRow[] {
  return anywhere.get(segment.startsWith('belay-') ? 'belay-*' : segment) ?? NO_ROWS
}

const NO_ROWS: readonly ProtectedRow[] = []

function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/').slice(1, -1)
  return ['/', ...segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)]
}

function placesBelow(path: string, { fixed, aboveFixed }: ProtectedPaths): readonly ProtectedPlace[] {
  if (!aboveFixed.has(path)) return NO_PLACES
  const found: ProtectedPlace[] = []
  for (const [fixedPath, places] of fixed) {
    if (fixedPath.length > path.length && below(fixedPath, path) !== null) found.push(...places)
  }
  return found
}

/** Every segment of the row stands at `index`; for a tree the path may also end before the row does. */
function coversRow(access: PathAccess, segments: readonly string[], index: number, row: ProtectedRow): boolean {
  const there = segments.slice(index, index + row.segments.length)
  if (there.length < row.segments.length && !(access === 'tree' && isTree(row))) return false
  return there.every((segment, offset) => offset === 0 || segment === row.segments[offset])
}

/** Any directory may be called `belay`; only a hidden one is taken for what the row means. */
export function isTree({ segments: [first = ''] }: ProtectedRow): boolean {
  return !first.startsWith('belay')
}

/** `above`: the path is a directory that holds the place. */
export function judgePlace(access: PathAccess, path: string, place: ProtectedPlace, at: 'there' | 'above' = 'there'): Protection | null {
  if (access === 'read') {
    return place.read === undefined ? null : { decision: 'deny', reason: `${path} belongs to ${place.what}; agents may not read it` }
  }
  if (place.path === '/proc' && OWN_PLACE.test(path)) return null
  if (place.write === 'deny' && !(at === 'above' && place.isReplaceable))
    return { decision: 'deny', reason: `${path} belongs to ${place.what}; agents may not change it` }
  return { decision: 'ask', reason: `${path} is ${place.what}; a person must agree to a change` }
}

/** Of the writer itself, and open files, which lead to where they are. */
const OWN_PLACE = /^\/proc\/(?:(?:thread-)?self(?:\/|$)|\d+\/fd\/)/
