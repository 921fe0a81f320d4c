// Where an agent keeps text that it takes over by a name: skills, commands, sub-agents. Of the user, of each folder from where the agent is up to
// the root of the disk, of folders below the project, and of plugins and extensions; links are followed as the agent follows them.
import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Agent } from '@belay/core/adapter'
import { textName } from './own-lines.ts'
import { readText } from './read-text.ts'

export type TextKind = 'skills' | 'commands' | 'agents' | 'workflows'

export interface TextPlace {
  readonly root: string
  readonly userHome: string
  /** Where the agent is. */
  readonly cwd: string
  /** null: one that is not known here. */
  readonly agent: Agent | null
}

/** Files of these kinds that an agent may mean by one of the names. */
export function findText(names: readonly string[], kinds: readonly TextKind[], place: TextPlace): readonly string[] {
  if (names.length === 0) return []
  const wanted = new Set(names.map(name => name.toLowerCase()))
  const isWanted = (path: string): boolean => {
    if (wanted.has(nameOfFile(path).toLowerCase())) return true
    return saysItsName(path) && wanted.has((textName(readText(path), path) ?? '').toLowerCase())
  }
  return listText(kinds, place).filter(isWanted)
}

export function listText(kinds: readonly TextKind[], place: TextPlace): readonly string[] {
  return [...new Set(foldersOf(kinds, place).flatMap(filesBelow))]
}

export function nameOfFile(path: string): string {
  const name = basename(path)
  return name === 'SKILL.md' ? basename(dirname(path)) : name.replace(/(?:\.agent)?\.(?:md|toml)$/, '')
}

/** A command has the name of its file. */
function saysItsName(path: string): boolean {
  return basename(path) === 'SKILL.md' || /(?:^|\/)agents?\//.test(path)
}

/** Of the agent's own, and those that several agents share. */
function homeFolders({ agent }: TextPlace): readonly string[] {
  const own = (agent?.ownPaths ?? []).filter(path => /^\.[\w-]+$/.test(path))
  return [...new Set(['.claude', '.agents', '.github', ...own])]
}

function foldersOf(kinds: readonly TextKind[], place: TextPlace): readonly string[] {
  const { root, userHome, cwd, agent } = place
  const homes = new Set<string>([userHome])
  for (const start of [cwd, root])
    for (let at = start; ; at = dirname(at)) {
      homes.add(at)
      if (dirname(at) === at) break
    }
  const folders = homeFolders(place)
  for (const home of agentFoldersBelow(root, new Set(folders))) homes.add(home)
  const configured = (agent?.ownPaths ?? []).flatMap(path => (path.startsWith('~/') ? [join(userHome, path.slice(2))] : []))
  const own = [...[...homes].flatMap(home => folders.map(folder => join(home, folder))), ...configured]
  const added = [userHome, root].flatMap(home => folders.flatMap(folder => ['plugins', 'extensions'].map(kind => join(home, folder, kind))))
  // Some call a folder by the one that stands in it: `command`, `agent`.
  return [...own.flatMap(folder => kinds.flatMap(kind => [join(folder, kind), join(folder, kind.slice(0, -1))])), ...added]
}

/** Folders of a project that are looked through. */
const MAX_FOLDERS = 3000
const SKIPPED = new Set(['node_modules', '.git', '.venv', 'target'])

/** Folders below that have agents' files of their own, the nearest first. */
function agentFoldersBelow(root: string, names: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>()
  const waiting = [root]
  for (let at = 0; at < waiting.length && at < MAX_FOLDERS; at++) {
    const folder = waiting[at] as string
    for (const { name, isFolder } of entriesOf(folder)) {
      if (names.has(name)) found.add(folder)
      else if (isFolder && !SKIPPED.has(name)) waiting.push(join(folder, name))
    }
  }
  return [...found]
}

/** Folders of one kind of text that are looked through. */
const MAX_TEXT_FOLDERS = 2000

function filesBelow(folder: string): readonly string[] {
  const found: string[] = []
  const waiting = [folder]
  const been = new Set<string>()
  for (let at = 0; at < waiting.length && at < MAX_TEXT_FOLDERS; at++) {
    const here = waiting[at] as string
    for (const { name, isFolder, isLink } of entriesOf(here)) {
      const path = join(here, name)
      if (isLink && !isNew(path, been)) continue
      if (extname(name) === '.md' || extname(name) === '.toml') found.push(path)
      // What is no folder has no entries.
      else if ((isFolder || isLink) && !SKIPPED.has(name)) waiting.push(path)
    }
  }
  return found
}

/** A link that leads where another one led, or above itself, leads nowhere new. */
function isNew(link: string, been: Set<string>): boolean {
  try {
    const real = realpathSync(link)
    if (been.has(real) || link.startsWith(`${real}/`)) return false
    been.add(real)
    return true
  } catch {
    return false
  }
}

interface Entry {
  readonly name: string
  readonly isFolder: boolean
  readonly isLink: boolean
}

function entriesOf(folder: string): readonly Entry[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() }))
  } catch {
    // What is not there, or no folder, has none.
    return []
  }
}
