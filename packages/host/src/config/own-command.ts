// How an agent calls Belay in its own shell: by name where that is found, else by the place of the program.
import { join } from 'node:path'
import { isOnPath } from '../disk/on-path.ts'
import { findPackage } from './own-files.ts'

/** The program itself. */
export function ownProgram(): string {
  return join(findPackage(), 'bin', 'belay.cjs')
}

/** `path`: the PATH of whoever reads it; undefined: nobody knows it. */
export function ownCommand(path: string | undefined): string {
  if (path === undefined || isOnPath('belay', path)) return 'belay'
  const program = ownProgram()
  return /^[\w@%+=:,./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`
}
