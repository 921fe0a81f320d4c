// Which git repository a folder is in. All worktrees of one repository share the folder that git calls the common one.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export interface Repository {
  /** Where its files are: the worktree. */
  readonly top: string
  /** The folder that its worktrees share. */
  readonly common: string
}

/** Null: there is none, or it cannot be told. */
export function findRepository(folder: string): Repository | null {
  for (let top = folder; ; top = dirname(top)) {
    const git = join(top, '.git')
    if (existsSync(git)) return { top, common: commonFolder(top, git) }
    if (dirname(top) === top) return null
  }
}

/** `folder` as seen from the top of its worktree. */
export function inRepository({ top }: Repository, folder: string): string {
  return relative(top, folder)
}

function commonFolder(top: string, git: string): string {
  try {
    if (statSync(git).isDirectory()) return realpathSync(git)
    const named = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(git, 'utf8'))?.[1]
    if (named === undefined) return git
    const own = resolve(top, named)
    const common = join(own, 'commondir')
    return realpathSync(existsSync(common) ? resolve(own, readFileSync(common, 'utf8').trim()) : own)
  } catch {
    return git
  }
}
