// What is at a path that somebody else may have made: a link that leads to itself, or into a folder that is closed, is not a file of ours to
// read, and never an error.
import { type BigIntStats, lstatSync, statSync } from 'node:fs'

/** null: nothing is there, or nobody can say what. */
export function statFile(path: string): BigIntStats | null {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true }) ?? null
  } catch {
    return null
  }
}

/** Whether anything stands at this path, and be it a link that leads nowhere. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
