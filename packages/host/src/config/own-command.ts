// How whoever reads a text calls Belay in a shell: by name where that is found, else by the place of the program.
import { delimiter, join } from 'node:path'
import { isGroup, isOwnVerb } from '@belay/core/match'
import { isOnPath } from '../disk/on-path.ts'
import { findPackage } from './own-files.ts'

/** The program itself. */
export function ownProgram(): string {
  return join(findPackage(), 'bin', 'belay.cjs')
}

/** `path`: the PATH of whoever reads it; undefined: nobody knows it. */
export function ownCommand(path: string | undefined): string {
  if (path === undefined || isOnPath('belay', lastingFolders(path))) return 'belay'
  const program = ownProgram()
  return /^[\w@%+=:,./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`
}

/** npx and npm scripts put their folder of programs on the PATH of what they start, and of nobody else. */
function lastingFolders(path: string): string {
  return path
    .split(delimiter)
    .filter(folder => !folder.replace(/\/+$/, '').endsWith('node_modules/.bin'))
    .join(delimiter)
}

/** Texts say `belay VERB`; whoever reads this one calls it `command`. */
export function nameBelay(text: string, command: string): string {
  if (command === 'belay') return text
  return text.replace(NAMED, (all, verb: string) =>
    verb === 'COMMAND' || isOwnVerb('command', verb) || isGroup(verb) ? `${command} ${verb}` : all,
  )
}

const NAMED = /(?<![\w./@-])belay (COMMAND|[a-z][a-z-]*)/g
