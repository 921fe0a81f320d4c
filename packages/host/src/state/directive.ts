// Directives: files with rules for whoever works in a directory. Found by walking up from a directory to the project's root; each is new once
// per directory and effort, and again when it changes.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { readOwnFile, realPlace } from './own-file.ts'
import type { EffortRow, Injection } from './work-row.ts'

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
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) found.push(file)
    }
  }
  return found
}

/** What the effort has not seen yet, noted as seen. */
export function discoverDirectives(effort: EffortRow, directory: string, options: DirectiveOptions): readonly Injection[] {
  const found: Injection[] = []
  for (const file of findDirectives(directory, effort.projectRoot, options.names)) {
    const text = readDirective(file, effort.projectRoot, options.names)
    if (text === null) continue
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const seen = effort.directives.get(dirname(file)) ?? new Map<string, string>()
    if (seen.get(basename(file)) === hash) continue
    seen.set(basename(file), hash)
    effort.directives.set(dirname(file), seen)
    found.push({ kind: 'directive', text: formatDirective(file, text, effort.projectRoot, options.budget), path: file })
  }
  return found
}

function formatDirective(file: string, text: string, root: string, budget: number): string {
  const name = relative(root, file)
  const shown = text.length <= budget ? text.trimEnd() : `${text.slice(0, budget)}\n[… ${text.length - budget} more characters in ${file}]`
  return `<directive file="${name}">\n${shown}\n</directive>`
}

/** One directive may stand for another (AGENTS.md -> CLAUDE.md); a link to anything else is passed over. */
function readDirective(file: string, root: string, names: readonly string[]): string | null {
  const real = realPlace(file)
  return names.includes(basename(real)) ? readOwnFile(real, root) : null
}

/** The directory itself, else the one a file is or would be in. */
export function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path)
}
