// Files that the daemon reads or writes for an agent. An agent may not get through us at what its policy keeps from it: so these are regular
// files with one name, in the folder they claim to be in; links lead nowhere.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync, writeSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { errorText } from '@belay/core/value'
import { noteWant } from '../disk/read-want.ts'

/** null: it is not there, or not what it claims to be. */
export function readOwnFile(file: string, folder: string): string | null {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || stat.nlink > 1 || !isInside(realpathSync(file), realpathSync(folder))) return null
    return readFileSync(file, 'utf8')
  } catch (error) {
    return absent(error)
  }
}

/** Appends to a file that is there or makes it; a link in its place is refused. */
export function appendOwnFile(file: string, text: string): { readonly ok: boolean; readonly why: string } {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  try {
    const descriptor = openSync(file, flags, 0o644)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile() || stat.nlink > 1) return { ok: false, why: `${file} is a link to something else` }
      writeSync(descriptor, text)
      return { ok: true, why: '' }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { ok: false, why: errorText(error) }
  }
}

/** Where a path really leads, as far as it exists already. */
export function realPlace(path: string): string {
  const missing: string[] = []
  for (let place = resolve(path); ; place = dirname(place)) {
    try {
      return join(realpathSync(place), ...missing)
    } catch (error) {
      absent(error)
      if (dirname(place) === place) return resolve(path)
      missing.unshift(basename(place))
    }
  }
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Why a directory cannot be a task; null: it can. Artifacts are written there without asking the policy about each. */
export function refuseTaskDir(dir: string, root: string): string | null {
  const real = realPlace(dir)
  const home = realPlace(root)
  if (!isInside(real, home)) return `${dir} is not inside the project ${root}; a task is a directory of its project`
  const hidden = relative(home, real)
    .split(sep)
    .find(segment => segment.startsWith('.'))
  return hidden === undefined ? null : `${dir} lies in ${hidden}, which holds configuration; choose another directory for the task`
}

function absent(error: unknown): null {
  noteWant(error)
  if (error instanceof Error && 'code' in error) return null
  throw error
}
