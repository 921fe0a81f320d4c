// How whoever reads a text calls Belay in a shell: by name where that is found, else by the place of the program.
import { delimiter, isAbsolute, join } from 'node:path'
import { isOnPath } from '../disk/on-path.ts'
import { findPackage } from './own-files.ts'

/** The program itself. */
export function ownProgram(): string {
  return join(findPackage(), 'bin', 'belay.cjs')
}

/** `path`: the PATH of whoever reads it; undefined: nobody knows it. */
export function ownCommand(path: string | undefined): string {
  return path === undefined || isOnPath('belay', lastingFolders(path)) ? 'belay' : programCommand()
}

/** The program by its place, as a word for a shell: it works whatever the PATH is. */
export function programCommand(program = ownProgram()): string {
  return /^[\w@%+=:,./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`
}

/** npx and npm scripts put their folder of programs on the PATH of what they start, and of nobody else; `.` is another folder soon. */
function lastingFolders(path: string): string {
  return path
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && !folder.replace(/\/+$/, '').endsWith('node_modules/.bin'))
    .join(delimiter)
}
