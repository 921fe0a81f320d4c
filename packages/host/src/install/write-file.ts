// Writes a file whole or not at all, through links to the file itself, and keeps its mode.
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'

export function replaceFile(file: string, content: string | Uint8Array, mode = 0o644): void {
  makeFolder(dirname(file))
  const target = existsSync(file) ? realpathSync(file) : file
  const draft = `${target}.${randomUUID()}`
  writeFileSync(draft, content, { mode: statSync(target, { throwIfNoEntry: false })?.mode ?? mode })
  renameSync(draft, target)
}
