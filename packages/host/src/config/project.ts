// Which project a directory belongs to, and which file is its policy.
import { type BigIntStats, existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { statFile } from '../disk/stat-file.ts'
import { homePaths } from './home.ts'
import { findRepository } from './repository.ts'
import { readTrust, type TrustRecord } from './trust.ts'

export interface Project {
  readonly root: string
  /** What made this directory the root. */
  readonly found: 'trusted' | 'policy folder' | 'git' | 'cwd'
  /** A folder below a trusted root that has a policy folder which nobody has trusted: it can only add rules. */
  readonly inner: string | null
}

const POLICY_FOLDERS = ['.belay', '.mentu']

/**
 * The nearest ancestor whose policy a person has trusted, whether it is still there or not; else the nearest with `.belay` or `.mentu`, else
 * the git root, else the directory itself. Belay's home is never a project, the usual one neither.
 */
export function findProject(cwd: string, home: string): Project {
  const start = resolve(cwd)
  const trusted = trustedRoot(start, home)
  const homes = [home, join(homedir(), '.belay')]
  const marked = nearest(trusted?.start ?? start, folder => POLICY_FOLDERS.some(name => isProjectFolder(join(folder, name), homes)))
  if (trusted !== null)
    return { root: trusted.root, found: 'trusted', inner: marked?.startsWith(`${trusted.root}/`) === true ? marked : null }
  if (marked !== null) return { root: marked, found: 'policy folder', inner: null }
  const git = nearest(start, folder => existsSync(join(folder, '.git')))
  return git === null ? { root: start, found: 'cwd', inner: null } : { root: git, found: 'git', inner: null }
}

/** The folders that change when a directory may belong to another project, as far as the policy and the trust of this one do not say so. */
export function projectSigns(cwd: string, { root, found }: Project): readonly string[] {
  const start = resolve(cwd)
  const real = realFolder(start)
  const folders = real === start ? ancestors(start) : [...ancestors(start), ...ancestors(real)]
  // Nothing above a root with a policy counts.
  const isFixed = found === 'trusted' || found === 'policy folder'
  return isFixed && isInside(start, root) ? folders.filter(each => each !== root && isInside(each, root)) : folders
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}

function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

/** A directory that is reached through a link keeps its name where that leads to the root too. */
function trustedRoot(start: string, home: string): { readonly root: string; readonly start: string } | null {
  const { projects } = readTrust(homePaths(home).trust)
  if (projects.length === 0) return null
  const roots = new Set(projects.map(({ root }) => root))
  const named = nearest(start, folder => roots.has(folder))
  if (named !== null) return { root: named, start }
  const real = realFolder(start)
  const root = (real === start ? null : nearest(real, folder => roots.has(folder))) ?? worktreeRoot(real, projects)
  return root === null ? null : { root, start: real }
}

/** A worktree that nobody has looked at yet belongs to the repository that somebody has. */
function worktreeRoot(start: string, records: readonly TrustRecord[]): string | null {
  if (!records.some(({ repository }) => repository !== null)) return null
  const repository = findRepository(start)
  if (repository === null) return null
  const roots = new Set(records.filter(each => each.repository === repository.common).map(({ folder }) => join(repository.top, folder)))
  return roots.size === 0 ? null : nearest(start, folder => roots.has(folder))
}

function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The policy that is there; null: the project has none. */
export function findProjectPolicy(root: string): string | null {
  return projectPolicyPlaces(root).find(place => existsSync(place)) ?? null
}

/** Where a project's policy may be; the first that is there counts. */
export function projectPolicyPlaces(root: string): readonly string[] {
  return POLICY_FOLDERS.map(folder => join(root, folder, 'genesis.key'))
}

/** Where a policy goes when there is none. */
export function newProjectPolicy(root: string): string {
  return join(root, '.belay', 'genesis.key')
}

function nearest(start: string, isWanted: (folder: string) => boolean): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isWanted(folder)) return folder
    if (dirname(folder) === folder) return null
  }
}

function isProjectFolder(path: string, homes: readonly string[]): boolean {
  const stat = statFile(path)
  return stat?.isDirectory() === true && !homes.some(home => isFolder(home, stat))
}

/** Under whatever name. Not by real paths: this is asked again and again, and a path that is not there would cost an exception. */
function isFolder(path: string, { ino, dev }: BigIntStats): boolean {
  const stat = statFile(path)
  return stat?.ino === ino && stat.dev === dev
}
