// Which project a directory belongs to, and which file is its policy.
import { type BigIntStats, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface Project {
  readonly root: string
  /** What made this directory the root. */
  readonly found: 'policy folder' | 'git' | 'cwd'
}

const POLICY_FOLDERS = ['.belay', '.mentu']

/** Nearest ancestor with `.belay` or `.mentu`, else the git root, else the directory itself. Belay's home is never a project, the usual one neither. */
export function findProject(cwd: string, home: string): Project {
  const start = resolve(cwd)
  const homes = [home, join(homedir(), '.belay')]
  const marked = nearest(start, folder => POLICY_FOLDERS.some(name => isProjectFolder(join(folder, name), homes)))
  if (marked !== null) return { root: marked, found: 'policy folder' }
  const git = nearest(start, folder => existsSync(join(folder, '.git')))
  return git === null ? { root: start, found: 'cwd' } : { root: git, found: 'git' }
}

/** The policy that is there; null: the project has none. */
export function findProjectPolicy(root: string): string | null {
  const places = POLICY_FOLDERS.map(folder => join(root, folder, 'genesis.key'))
  return places.find(place => existsSync(place)) ?? null
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
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat?.isDirectory() === true && !homes.some(home => isFolder(home, stat))
}

/** Under whatever name. Not by real paths: this is asked again and again, and a path that is not there would cost an exception. */
function isFolder(path: string, { ino, dev }: BigIntStats): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
    return stat?.ino === ino && stat.dev === dev
  } catch {
    return false
  }
}
