// Which versions of a project's files somebody on this machine has trusted. Kept by path and content, so that an edit asks again
// and a switch of branches does not.
import { randomUUID } from 'node:crypto'
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from './make-folder.ts'

export interface TrustStore {
  readonly path: string
  /** Hashes by file. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>
  /** The store is there but says nothing usable: nothing is trusted, and a person should hear why. */
  readonly problem: string | null
}

export function readTrust(path: string): TrustStore {
  const text = readIfThere(path)
  if (text === null) return { path, files: new Map(), problem: null }
  const files = decode(text)
  if (files === null)
    return { path, files: new Map(), problem: `${path} is damaged, so nothing is trusted; trust files again with \`belay policy trust\`` }
  return { path, files, problem: null }
}

export function isTrusted(store: TrustStore, file: string, hash: string): boolean {
  return store.files.get(trustKey(file))?.has(hash) === true
}

export function addTrust(path: string, file: string, hash: string): void {
  const key = trustKey(file)
  const { files } = readTrust(path)
  const known = Object.fromEntries([...files].map(([name, hashes]) => [name, [...hashes]]))
  const content = { version: 1, files: { ...known, [key]: [...new Set([...(files.get(key) ?? []), hash])] } }
  makeFolder(dirname(path), 0o700)
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** One file has one key, whatever links lead to it. */
function trustKey(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return resolve(file)
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    return ''
  }
}

function decode(text: string): Map<string, Set<string>> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !isObject(value.files)) return null
    const entries = Object.entries(value.files).map(([file, hashes]) => [file, new Set(textsOf(hashes))] as const)
    return new Map(entries)
  } catch {
    return null
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
