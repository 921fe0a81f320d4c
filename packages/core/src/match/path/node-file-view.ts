// The real file system as a FileView. The only file of this folder that touches it; it reads and never writes.
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileName, FileView, RealPath } from './file-view.ts'
import { followLinks, type NameKind } from './follow-links.ts'

export function createFileView(): FileView {
  const insensitiveRoots = new Map<string, boolean>()
  return {
    realPath: absolute => withoutLinks(absolute) ?? followLinks(absolute, lookAt),
    linkCount(absolute) {
      const stat = statOf(absolute)
      return stat?.isFile() ? stat.nlink : 0
    },
    names: listNames,
    knownNames: directory => listNames(directory) ?? [],
    knowsLinks: true,
    hasNameBelow(absolute, directories) {
      const stat = statOf(absolute)
      const budget = { entries: MAX_NAMES }
      return stat !== null && stat.nlink > 1 && directories.some(directory => holdsFile(directory, stat, budget))
    },
    linkTargetsBelow: findLinkTargets,
    text: readText,
    isCaseInsensitive(root) {
      const known = insensitiveRoots.get(root)
      if (known !== undefined) return known
      const probed = probeCase(root)
      insensitiveRoots.set(root, probed)
      return probed
    },
  }
}

/** More than this nobody waits for. */
const MAX_NAMES = 4096
/** A tenth of a second, about. */
const MAX_WALKED = 30_000
const MAX_TEXT_LENGTH = 1 << 20

function listNames(directory: string): readonly FileName[] | null {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    return entries.length > MAX_NAMES ? null : entries.map(entry => ({ name: entry.name, isLink: entry.isSymbolicLink() }))
  } catch {
    return null
  }
}

/** The nearest first: where there is too much to look at, one of those is enough. */
function findLinkTargets(directory: string): readonly string[] | null {
  const found = new Set<string>()
  const folders = [directory]
  let walked = 0
  for (let at = 0; at < folders.length; at++) {
    const folder = folders[at] ?? ''
    for (const entry of entriesOf(folder)) {
      walked += 1
      if (walked > MAX_WALKED) return null
      if (entry.isDirectory()) folders.push(join(folder, entry.name))
      else if (entry.isSymbolicLink()) found.add(realOf(join(folder, entry.name)))
    }
  }
  return [...found]
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function realOf(path: string): string {
  const real = followLinks(path, lookAt)
  return real.ok ? real.path : path
}

function holdsFile(path: string, file: Stats, budget: { entries: number }): boolean {
  const stat = lstatOf(path)
  if (stat === null) return false
  if (!stat.isDirectory()) return stat.ino === file.ino && stat.dev === file.dev
  return namesIn(path).some(name => --budget.entries >= 0 && holdsFile(join(path, name), file, budget))
}

function readText(path: string): string | null {
  const stat = statOf(path)
  if (stat === null || !stat.isFile() || stat.size > MAX_TEXT_LENGTH) return null
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/**
 * Most paths hold no link, and one call to the system says so for all that is there of one: then the path is its own real path. The system's
 * answer is used for nothing else, because it would follow `/proc/self` to this process.
 */
function withoutLinks(absolute: string): RealPath | null {
  if (/\/\.{0,2}(?:\/|$)/.test(absolute)) return null
  const { existing, missing } = splitAtMissing(absolute)
  // A link that leads nowhere is there, and what may not be seen may be one.
  if (missing !== null && lookAt(missing).kind !== 'missing') return null
  try {
    return realpathSync.native(existing) === existing ? { ok: true, path: absolute } : null
  } catch {
    return null
  }
}

interface Split {
  readonly existing: string
  /** The shortest part that is not there; null: all of it is. */
  readonly missing: string | null
}

/** Below a name that is missing all are: so the place is found by halves, and a path of thousands of folders takes a dozen looks. */
function splitAtMissing(path: string): Split {
  if (existsSync(path)) return { existing: path, missing: null }
  const ends = [...path.matchAll(/\//g)].map(({ index }) => Math.max(1, index))
  const until = (at: number): string => path.slice(0, ends[at])
  let [there, gone] = [0, ends.length]
  // Most often the folder is there, and only the file is new.
  for (let at = gone - 1; gone - there > 1; at = (there + gone) >> 1) {
    if (existsSync(until(at))) there = at
    else gone = at
  }
  return { existing: until(there), missing: until(gone) }
}

/** Links of this process would mean other files in the agent's: `/proc/self` cannot be followed from here. */
const ownLinks: ReadonlySet<string> = new Set(['/proc/self', '/proc/thread-self'])

function lookAt(path: string): NameKind {
  if (ownLinks.has(path)) return { kind: 'denied' }
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { kind: 'missing' }
    return stat.isSymbolicLink() ? { kind: 'link', target: readlinkSync(path) } : { kind: 'plain' }
  } catch (error) {
    return kindOfFailure(error)
  }
}

function kindOfFailure(error: unknown): NameKind {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'denied' }
  return { kind: 'invalid' }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function lstatOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Looks an existing name up in the other case: the same file under both names means that case does not count. */
function probeCase(root: string): boolean {
  const names = namesIn(root)
  const known = new Set(names)
  for (const name of names) {
    const other = swapCase(name)
    if (other !== name && !known.has(other)) return isSameFile(join(root, name), join(root, other))
  }
  const own = basename(root)
  const other = swapCase(own)
  return other !== own && isSameFile(root, join(dirname(root), other))
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function swapCase(name: string): string {
  const lower = name.toLowerCase()
  return lower === name ? name.toUpperCase() : lower
}

function isSameFile(a: string, b: string): boolean {
  const first = statOf(a)
  const second = statOf(b)
  return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev
}
