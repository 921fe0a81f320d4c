// A file system described by data, for `decide --batch` and tests: nothing on disk is consulted. Every name exists as a
// plain file unless it is listed as a link.
import type { FileName, FileView } from './file-view.ts'
import { foldCase } from './fold-case.ts'
import { followLinks, type NameKind } from './follow-links.ts'
import { below } from './path-anchors.ts'

export interface VirtualFiles {
  readonly root: string
  /**
   * A path to what the symlink holds, as on disk: a relative target starts in the link's own folder. Only where the link too is named from
   * the root (`src/a: src/b`) a target without `.` and `..` at its start is named from the root as well.
   */
  readonly links?: unknown
  /** A path to another name of the same file. */
  readonly hardlinks?: unknown
  readonly caseInsensitiveFs?: unknown
}

const PLAIN: NameKind = { kind: 'plain' }

export type VirtualFileView = { readonly ok: true; readonly files: FileView } | { readonly ok: false; readonly problem: string }

export function virtualFileView(given: VirtualFiles): VirtualFileView {
  if (typeof given.root !== 'string' || !given.root.startsWith('/')) return malformed('root', 'an absolute path')
  const insensitive = given.caseInsensitiveFs ?? false
  if (typeof insensitive !== 'boolean') return malformed('caseInsensitiveFs', 'true or false')
  const links = readPaths(given.links)
  if (links === null) return malformed('links', 'an object of path: target')
  const hardlinks = readPaths(given.hardlinks)
  if (hardlinks === null) return malformed('hardlinks', 'an object of path: other name')

  const place = (path: string): string => collapse(path.startsWith('/') ? path : `${given.root}/${path}`)
  const key = (path: string): string => (insensitive ? foldCase(path) : path)
  const held = (path: string, target: string): string => (path.startsWith('/') || /^\.\.?(?:\/|$)/.test(target) ? target : place(target))
  const linkPaths = links.map(([path]) => place(path))
  const targets = new Map(links.map(([path, target]) => [key(place(path)), held(path, target)]))
  const shared = new Set(hardlinks.flat().map(path => key(place(path))))
  const otherNames = (path: string): string[] =>
    hardlinks.flatMap(pair => (pair.some(name => key(place(name)) === key(path)) ? pair.map(name => place(name)) : []))
  const look = (path: string): NameKind => {
    const target = targets.size === 0 ? undefined : targets.get(key(path))
    return target === undefined ? PLAIN : { kind: 'link', target }
  }
  const files: FileView = {
    realPath: absolute => followLinks(absolute, look),
    linkCount: absolute => (shared.has(key(absolute)) ? 2 : 1),
    names: () => null,
    knownNames: directory => namesOnTheWay(directory, linkPaths),
    knowsLinks: given.links !== undefined && given.links !== null,
    hasNameBelow: (absolute, directories) =>
      otherNames(absolute).some(name => directories.some(directory => below(name, directory) !== null)),
    linkTargetsBelow: directory =>
      links.flatMap(([path]) => {
        const real = below(place(path), directory) === null ? null : followLinks(place(path), look)
        return real?.ok ? [real.path] : []
      }),
    text: () => null,
    isCaseInsensitive: () => insensitive,
  }
  return { ok: true, files }
}

/** The names in a directory that lead to one of these paths. */
function namesOnTheWay(directory: string, paths: readonly string[]): readonly FileName[] {
  const found = new Map<string, FileName>()
  for (const path of paths) {
    const [name, ...more] = (below(path, directory) ?? '').split('/')
    if (name !== undefined && name !== '') found.set(name, { name, isLink: found.get(name)?.isLink === true || more.length === 0 })
  }
  return [...found.values()]
}

function malformed(field: string, expected: string): VirtualFileView {
  return { ok: false, problem: `ctx.${field} must be ${expected}` }
}

function readPaths(value: unknown): [string, string][] | null {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const pairs: [string, string][] = []
  for (const [path, target] of Object.entries(value)) {
    if (typeof target !== 'string' || target === '' || path === '' || `${path}${target}`.includes('\0')) return null
    pairs.push([path, target])
  }
  return pairs
}

function collapse(path: string): string {
  const real = followLinks(path, () => ({ kind: 'plain' }))
  return real.ok ? real.path : path
}
