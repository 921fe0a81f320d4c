// The disk as it is while a replay runs: what was looked at once is not looked at again, and a directory is listed once instead of asking for
// each of its names.
import { createFileView, type FileView, type RealPath } from '@belay/core/match'
import { createMemory } from './memory.ts'

const PATHS_KEPT = 8192
const DIRECTORIES_KEPT = 512

export function rememberedFiles(disk: FileView = createFileView()): FileView {
  const directoryOf = remember(
    path => (nameOf(path).kind === 'missing' ? emptyAt(realPath(path)) : lookInto(disk, realPath(path))),
    DIRECTORIES_KEPT,
  )
  const nameOf = (path: string): FoundName => findName(path, directoryOf)
  const follow = remember(path => disk.realPath(path), PATHS_KEPT)
  const linkCount = remember(path => disk.linkCount(path), PATHS_KEPT)

  function realPath(path: string): RealPath {
    const found = nameOf(path)
    if (found.kind !== 'plain' && found.kind !== 'missing') return follow(path)
    const { real, name } = found
    return { ok: true, path: real === '/' ? `/${name}` : `${real}/${name}` }
  }

  return {
    ...disk,
    realPath,
    linkCount: path => (nameOf(path).kind === 'missing' ? 0 : linkCount(path)),
    names: remember(path => disk.names(path), DIRECTORIES_KEPT),
    knownNames: remember(path => disk.knownNames(path), DIRECTORIES_KEPT),
    text: path => disk.text(path),
    linkTargetsBelow: remember(path => disk.linkTargetsBelow(path), DIRECTORIES_KEPT),
    hasNameBelow: (path, directories) => disk.hasNameBelow(path, directories),
    isCaseInsensitive: remember(root => disk.isCaseInsensitive(root), DIRECTORIES_KEPT),
    knowsLinks: disk.knowsLinks,
  }
}

interface Directory {
  /** null: what is in it has to be asked of the disk, name by name. */
  readonly real: string | null
  /** Whether each of its names is a link. */
  readonly names: ReadonlyMap<string, boolean>
}

type FoundName = { readonly kind: 'plain' | 'missing'; readonly real: string; readonly name: string } | { readonly kind: 'unknown' }

const UNKNOWN: FoundName = { kind: 'unknown' }
/** Every name once, and no character of which two file systems think differently. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.@+,=:-]+){2,}$/

function findName(path: string, directoryOf: (path: string) => Directory): FoundName {
  if (!PLAIN_PATH.test(path) || path.startsWith('/proc/') || path.startsWith('/dev/')) return UNKNOWN
  const cut = path.lastIndexOf('/')
  const { real, names } = directoryOf(path.slice(0, cut))
  if (real === null) return UNKNOWN
  const name = path.slice(cut + 1)
  const isLink = names.get(name)
  if (isLink === false) return { kind: 'plain', real, name }
  // A name in another case may be the same file.
  return isLink === undefined && !names.has(name.toLowerCase()) ? { kind: 'missing', real, name } : UNKNOWN
}

const NOBODY_KNOWS: Directory = { real: null, names: new Map() }

function emptyAt(real: RealPath): Directory {
  return real.ok ? { real: real.path, names: new Map() } : NOBODY_KNOWS
}

function lookInto(disk: FileView, real: RealPath): Directory {
  const listed = real.ok ? disk.names(real.path) : null
  if (!real.ok || listed === null) return NOBODY_KNOWS
  const names = new Map(listed.map(({ name, isLink }) => [name, isLink]))
  for (const { name } of listed) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), true)
  return { real: real.path, names }
}

function remember<T>(look: (path: string) => T, kept: number): (path: string) => T {
  const memory = createMemory<{ readonly found: T }>(kept)
  return path => {
    const known = memory.get(path)
    if (known !== undefined) return known.found
    const found = look(path)
    memory.set(path, { found })
    return found
  }
}
