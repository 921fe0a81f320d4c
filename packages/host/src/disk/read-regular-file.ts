// The bytes of a file that a project may have put there. A pipe or a device in its place would hold up every agent that waits for the daemon.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Throws as `readFileSync` does; `ENOTREG`: it is there and is not a regular file. */
export function readRegularFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() && !stat.isDirectory()) throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENOTREG' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
