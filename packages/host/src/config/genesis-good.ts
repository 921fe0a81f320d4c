// The last good version of each policy file, as bytes under `$BELAY_HOME/run`, where the Node shim finds it with the daemon down.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCrypto } from '../disk/load-crypto.ts'
import { makeFolder } from '../disk/make-folder.ts'

export function keepGood(folder: string, path: string, text: string): void {
  if (readGood(folder, path) === text) return
  makeFolder(folder, 0o700)
  const place = goodPlace(folder, path)
  const draft = `${place}.${loadCrypto().randomUUID()}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, place)
}

export function readGood(folder: string, path: string): string | null {
  try {
    return readFileSync(goodPlace(folder, path), 'utf8')
  } catch {
    return null
  }
}

/** When that version was first seen; null: there is none. */
export function goodSince(folder: string, path: string): string | null {
  return statSync(goodPlace(folder, path), { throwIfNoEntry: false })?.mtime.toISOString() ?? null
}

function goodPlace(folder: string, path: string): string {
  return join(folder, loadCrypto().createHash('sha256').update(path).digest('hex'))
}
