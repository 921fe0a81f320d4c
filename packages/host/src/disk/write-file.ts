// Writes a file whole or not at all, through links to the file itself, and keeps its mode.
import { chmodSync, existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadCrypto } from './load-crypto.ts'
import { makeFolder } from './make-folder.ts'

export function replaceFile(file: string, content: string | Uint8Array, mode = 0o644): void {
  makeFolder(dirname(file))
  const target = existsSync(file) ? realpathSync(file) : file
  const draft = `${target}.${loadCrypto().randomUUID()}`
  const known = statSync(target, { throwIfNoEntry: false })?.mode
  writeFileSync(draft, content, { mode: known ?? mode })
  // The umask takes bits away from a new file; the draft takes the place of an old one.
  if (known !== undefined) chmodSync(draft, known)
  renameSync(draft, target)
}
