// Makes a folder and what is missing above it. Node's own way never comes back where a file system says that nothing is there while the
// folder above is, as /proc does: here every step is tried once, and the error says which folder cannot be made.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorText } from '@belay/core/value'

export function makeFolder(folder: string, mode = 0o777): void {
  const target = resolve(folder)
  const missing: string[] = []
  for (let at = target; !existsSync(at); at = dirname(at)) missing.push(at)
  if (missing.length === 0 && !isFolder(target)) missing.push(target)
  for (const path of missing.reverse()) makeOne(path, { mode, target })
}

function makeOne(path: string, { mode, target }: { readonly mode: number; readonly target: string }): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process may have been faster.
    if (code === 'EEXIST' && isFolder(path)) return
    const why = explain(path, code) ?? errorText(error)
    throw Object.assign(new Error(`${path} cannot be made: ${why}`), { code, syscall: 'mkdir', path: target })
  }
}

function explain(path: string, code: unknown): string | null {
  if (code === 'ENOENT') return `${dirname(path)} takes no folders. Choose another place.`
  if (code === 'ENOTDIR') return `${dirname(path)} is not a folder (ENOTDIR). Choose another place.`
  if (code === 'EEXIST') return 'there is something else of that name (EEXIST). Choose another place.'
  return null
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
