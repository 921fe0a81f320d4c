// The bytes of a file that a project may have put there. A pipe or a device in its place would hold up every agent that waits for the daemon.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { noteWant } from './read-want.ts'

/** Throws as `readFileSync` does; `ENOTREG`: it is there and is not a regular file. */
export function readRegularFile(path: string): Buffer {
  const file = openFile(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() && !stat.isDirectory()) throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENOTREG' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    noteWant(error)
    throw error
  }
}
