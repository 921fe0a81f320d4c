// Whether a program can be started by its name alone.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function isOnPath(program: string, path: string): boolean {
  return findOnPath(program, path) !== null
}

/** null: there is none of that name. */
export function findOnPath(program: string, path: string): string | null {
  const folder = path.split(delimiter).find(each => each !== '' && isProgram(join(each, program)))
  return folder === undefined ? null : join(folder, program)
}

/** It is a file that may be executed. */
export function isProgram(file: string): boolean {
  try {
    // Most folders of a PATH do not have it: an error for each of them takes longer than the look.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(file, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
