// What an installation replaced, kept under `$BELAY_HOME/install`: with it an uninstall gives back the very bytes.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import type { InstallPlace, InstallScope } from '../agent/target.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { replaceFile } from '../disk/write-file.ts'

export interface FileRecord {
  readonly path: string
  /** The content before us, in base64; null: there was no file. */
  readonly original: string | null
  /** SHA-256 of what we wrote. */
  readonly written: string
}

export interface InstallRecord {
  readonly agent: AgentId
  readonly scope: InstallScope
  /** Null for the user's scope. */
  readonly projectRoot: string | null
  readonly files: readonly FileRecord[]
  /** Folders that were made for them, outermost first. */
  readonly folders: readonly string[]
}

export function recordPath(home: string, agent: AgentId, { scope, projectRoot }: Pick<InstallPlace, 'scope' | 'projectRoot'>): string {
  const suffix = scope === 'user' ? 'user' : `project-${sha256(projectRoot).slice(0, 12)}`
  return join(home, 'install', `${agent}-${suffix}.json`)
}

/** Null: nothing was installed, or what was kept cannot be read and the entries themselves must tell. */
export function readRecord(path: string): InstallRecord | null {
  if (!existsSync(path)) return null
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Everything that was installed and not taken out again. */
export function listRecords(home: string): readonly InstallRecord[] {
  const folder = join(home, 'install')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  return names.sort().flatMap(name => readRecord(join(folder, name)) ?? [])
}

export function writeRecord(path: string, record: InstallRecord): void {
  makeFolder(join(path, '..'), 0o700)
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, 0o600)
}

export function dropRecord(path: string): void {
  rmSync(path, { force: true })
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function isRecord(value: unknown): value is InstallRecord {
  if (typeof value !== 'object' || value === null || !('files' in value) || !Array.isArray(value.files)) return false
  return value.files.every(file => typeof file?.path === 'string' && typeof file?.written === 'string')
}
