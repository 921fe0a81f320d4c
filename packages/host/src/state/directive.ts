// Directives: files with rules for whoever works in a directory. Found by walking up from a directory to the project's root. The effort keeps
// what was found, so that each of its windows is given it once, and again when it changes.
import { createHash } from 'node:crypto'
import { basename, dirname, join, relative } from 'node:path'
import { findAgent, type OwnInstructions } from '@belay/core/adapter'
import { readOwnFile, realPlace } from '../config/own-file.ts'
import { statFile } from '../disk/stat-file.ts'
import type { EffortRow, Injection, SessionRow } from './work-row.ts'

export const DIRECTIVE_NAMES = [
  'README.md',
  'AGENTS.md',
  'CLAUDE.md',
  'INVARIANTS.md',
  'CHECKLIST.md',
  'TESTING.md',
  'PITFALLS.md',
  'CONTRIBUTING.md',
]

/** Characters of one file that are handed over; the rest is there to be read. */
export const DIRECTIVE_BUDGET = 4000

export interface DirectiveOptions {
  readonly names: readonly string[]
  readonly budget: number
}

/** From the directory itself up to the root, the nearest first. Outside the root there are none. */
export function findDirectives(directory: string, root: string, names: readonly string[]): readonly string[] {
  const found: string[] = []
  for (let folder = directory; folder === root || folder.startsWith(`${root}/`); folder = dirname(folder)) {
    for (const name of names) {
      const file = join(folder, name)
      if (statFile(file)?.isFile() === true) found.push(file)
    }
  }
  return found
}

/** A directive as it is now. */
interface Directive {
  readonly file: string
  readonly text: string
  readonly hash: string
}

/** Who is told: the window that came to the directory, under its agent's habits. */
export interface Reader {
  readonly session: SessionRow
  /** What the agent reads by itself. */
  readonly own: OwnInstructions
}

export function ownInstructions(agentKind: string): OwnInstructions {
  return findAgent(agentKind)?.ownInstructions ?? { names: [], where: 'root' }
}

/** What holds for a directory and this window was not given yet; noted as found by the effort and given to the window. */
export function discoverDirectives(effort: EffortRow, reader: Reader, directory: string, options: DirectiveOptions): readonly Injection[] {
  const found = findDirectives(directory, effort.projectRoot, options.names).flatMap(file =>
    readDirective(file, effort.projectRoot, options.names),
  )
  for (const { file, hash } of found) {
    const known = effort.directives.get(dirname(file)) ?? new Map<string, string>()
    effort.directives.set(dirname(file), known.set(basename(file), hash))
  }
  return giveDirectives(effort, reader, found, options.budget)
}

/** What the effort found so far, for a window that begins. */
export function recallDirectives(effort: EffortRow, reader: Reader, options: DirectiveOptions): readonly Injection[] {
  const files = [...effort.directives].flatMap(([directory, names]) => [...names.keys()].map(name => join(directory, name)))
  const found = files.flatMap(file => readDirective(file, effort.projectRoot, options.names))
  return giveDirectives(effort, reader, found, options.budget)
}

function giveDirectives(effort: EffortRow, reader: Reader, found: readonly Directive[], budget: number): readonly Injection[] {
  const { session } = reader
  const given: Injection[] = []
  for (const { file, text, hash } of found) {
    const before = session.directives.get(file)
    if (before === hash) continue
    session.directives.set(file, hash)
    // What it has just read itself is no news; what has changed since is.
    const isRead = before === undefined && session.loadedFiles.has(file)
    if (isRead || hasTwin(session, file, hash) || isOwn(file, effort.projectRoot, reader.own)) continue
    given.push({ kind: 'directive', text: formatDirective(file, text, effort.projectRoot, budget), path: file })
  }
  return given
}

/** The same text under another name of the folder, such as a link. */
function hasTwin({ directives }: SessionRow, file: string, hash: string): boolean {
  return [...directives].some(([path, other]) => other === hash && path !== file && dirname(path) === dirname(file))
}

/** The agent reads it by itself: under this name, through a link, or because a file of its own imports it (`@AGENTS.md`). */
function isOwn(file: string, root: string, { names, where }: OwnInstructions): boolean {
  const folder = dirname(file)
  if (where === 'root' && realPlace(folder) !== realPlace(root)) return false
  if (names.includes(basename(file))) return true
  return names.some(name => {
    const own = join(folder, name)
    if (realPlace(own) === realPlace(file)) return true
    return importsOf(readOwnFile(own, root) ?? '').includes(basename(file))
  })
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)@(?:\.\/)?([\w.-]+)/g)].map(([, name = '']) => name.replace(/[.,]$/, ''))
}

function formatDirective(file: string, text: string, root: string, budget: number): string {
  const name = relative(root, file)
  const shown = text.length <= budget ? text.trimEnd() : `${text.slice(0, budget)}\n[… ${text.length - budget} more characters in ${file}]`
  return `<directive file="${name}">\n${shown}\n</directive>`
}

/** One directive may stand for another (AGENTS.md -> CLAUDE.md); a link to anything else is passed over. */
function readDirective(file: string, root: string, names: readonly string[]): readonly Directive[] {
  const real = realPlace(file)
  const text = names.includes(basename(real)) ? readOwnFile(real, root) : null
  return text === null ? [] : [{ file, text, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) }]
}

/** The directory itself, else the one a file is or would be in. */
export function folderOf(path: string): string {
  return statFile(path)?.isDirectory() === true ? path : dirname(path)
}
