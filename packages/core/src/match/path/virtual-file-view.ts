// A file system described by data, for `decide --batch` and tests: nothing on disk is consulted. Every name exists as a
// plain file unless it is listed as a link.
import type { FileView } from './file-view.ts'
import { foldCase } from './fold-case.ts'
import { followLinks, type NameKind } from './follow-links.ts'

export interface VirtualFiles {
  readonly root: string
  /** A path to its symlink target; both relative to root unless absolute. */
  readonly links?: unknown
  /** A path to another name of the same file. */
  readonly hardlinks?: unknown
  readonly caseInsensitiveFs?: unknown
}

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
  const targets = new Map(links.map(([path, target]) => [key(place(path)), place(target)]))
  const shared = new Set(hardlinks.flat().map(path => key(place(path))))
  const look = (path: string): NameKind => {
    const target = targets.get(key(path))
    return target === undefined ? { kind: 'plain' } : { kind: 'link', target }
  }
  const files: FileView = {
    realPath: absolute => followLinks(absolute, look),
    linkCount: absolute => (shared.has(key(absolute)) ? 2 : 1),
    isCaseInsensitive: () => insensitive,
  }
  return { ok: true, files }
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
