// What a person on this machine has accepted of each policy file and hooks file: its last trusted version, whole, so that it can be put in
// force when the file itself is gone or says something else. Sealed, so that nobody else can have written it.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '@belay/core/value'
import { type FilePrints, takePrints } from '../disk/file-prints.ts'
import { loadCrypto } from '../disk/load-crypto.ts'
import { countWants } from '../disk/read-want.ts'
import { readGood } from './genesis-good.ts'
import { homePaths } from './home.ts'
import { findRepository, inRepository } from './repository.ts'
import { hasSealKey, readSealed, writeSealed } from './sealed-file.ts'

export interface TrustRecord {
  /** The file as it is named, below the real path of the folder that it belongs to. */
  readonly file: string
  /** The same without any link. */
  readonly real: string
  /** The folder that it belongs to: of a project, its root. */
  readonly root: string
  /** It is a file of a project; else of the user. */
  readonly isProject: boolean
  /** Shared by all worktrees of its git repository, and where the root is in each of them; null: there was none. */
  readonly repository: string | null
  readonly folder: string
  readonly hash: string
  readonly text: string
  readonly at: string
}

export interface TrustStore {
  readonly path: string
  readonly records: readonly TrustRecord[]
  /** Those of projects. */
  readonly projects: readonly TrustRecord[]
  /** The store is not as we wrote it: nothing is trusted, what it says can only tighten, and a person should hear why. */
  readonly problem: string | null
}

const KEY = 'trust.key'

export function readTrust(path: string): TrustStore {
  const known = kept.get(path)
  if (known?.prints.areSame() === true) return known.store
  const wants = countWants()
  const prints = takePrints([path])
  const isThere = existsSync(path)
  const store = isThere ? readStore(path) : missingStore(path)
  // Of one that is missing it counts what else is there.
  if (isThere && countWants() === wants) kept.set(path, { prints, store })
  else kept.delete(path)
  return store
}

/** Asked for again and again, in a daemon for every call. */
const kept = new Map<string, { readonly prints: FilePrints; readonly store: TrustStore }>()

/** What was last accepted of this file, under whatever name it is reached, also where the file or its folder is gone. */
export function trustedVersion({ records }: Pick<TrustStore, 'records'>, file: string): TrustRecord | null {
  const known = findRecord(records, file)
  return known === undefined || known.hash === NONE ? null : known
}

/** The hash of "no such file", where that was accepted for one worktree of several. */
const NONE = 'none'

function findRecord(records: readonly TrustRecord[], file: string): TrustRecord | undefined {
  if (records.length === 0) return undefined
  const place = placeOf(file)
  const named = records.find(record => record.file === place) ?? inAnotherWorktree(records, place)
  if (named !== undefined) return named
  const real = realOf(file)
  return records.find(record => record.real === real)
}

export function isTrusted(store: TrustStore, file: string, hash: string): boolean {
  return store.problem === null && trustedVersion(store, file)?.hash === hash
}

/** Whoever changes a file keeps the trust in what it held; a file that never was there is the person's own. */
export function keepsTrust(store: TrustStore, file: string, hashBefore: string | null): boolean {
  if (hashBefore === null) return store.problem === null && trustedVersion(store, file) === null
  return isTrusted(store, file, hashBefore)
}

/** The file as it is on disk now is accepted; it must have this hash. */
export function addTrust(path: string, file: string, hash: string): void {
  const text = readFileSync(file, 'utf8')
  if (hashOf(text) !== hash) throw new Error(`${file} has changed meanwhile, or is not UTF-8; look at it and try again`)
  const record = { ...describe(dirname(path), file), hash, text, at: new Date().toISOString() }
  save(path, [...recordsOf(path).filter(each => each.file !== record.file), record])
}

/** That there is no such file is accepted. Gives whether there was anything to accept. */
export function dropTrust(path: string, file: string): boolean {
  const records = recordsOf(path)
  const known = trustedVersion({ records }, file)
  if (known === null) return false
  const others = records.filter(record => record.file !== placeOf(file))
  // What another worktree has must not come back here.
  const isInherited = trustedVersion({ records: others }, file) !== null
  const none = { ...describe(dirname(path), file), hash: NONE, text: '', at: new Date().toISOString() }
  save(path, isInherited ? [...others, none] : others)
  return true
}

/** A store of an earlier version held hashes only: the texts are added once, while they can still be found. */
export function renewTrust(path: string): void {
  const store = readTrust(path)
  const home = dirname(path)
  if (store.problem === null && store.records.length > 0 && !hasSealKey({ home, key: KEY })) save(path, store.records)
}

export function hashOf(text: string): string {
  return loadCrypto().createHash('sha256').update(text).digest('hex')
}

/** A person begins anew where the store is damaged: what it says is not sealed again. */
function recordsOf(path: string): readonly TrustRecord[] {
  const { records, problem } = readTrust(path)
  return problem === null ? records : []
}

function save(path: string, records: readonly TrustRecord[]): void {
  writeSealed({ home: dirname(path), file: path, key: KEY }, { version: 2, records })
  kept.delete(path)
}

const REMEDY = 'so nothing is trusted and what no rule covers asks; look at your policies, then run `belay policy trust`'

/** The secret is made with the first store: where it is, a store was. */
function missingStore(path: string): TrustStore {
  const wasThere = hasSealKey({ home: dirname(path), key: KEY })
  return makeStore(path, [], wasThere ? `${path} is gone, ${REMEDY}` : null)
}

function readStore(path: string): TrustStore {
  const home = dirname(path)
  const read = readSealed({ home, file: path, key: KEY })
  if (read.kind === 'missing') return missingStore(path)
  if (read.kind === 'sealed') return makeStore(path, decode(read.value), null)
  const hashes = hasSealKey({ home, key: KEY }) ? null : decodeHashes(read.value)
  if (hashes !== null) return makeStore(path, withTexts(home, hashes), null)
  return makeStore(path, decode(read.value), `${path} is damaged, or was not written by Belay, ${REMEDY}`)
}

function makeStore(path: string, records: readonly TrustRecord[], problem: string | null): TrustStore {
  return { path, records, projects: records.filter(({ isProject, hash }) => isProject && hash !== NONE), problem }
}

function decode(value: unknown): readonly TrustRecord[] {
  if (!isObject(value) || !Array.isArray(value.records)) return []
  return value.records.filter(isRecord)
}

function isRecord(value: unknown): value is TrustRecord {
  const texts = ['file', 'real', 'root', 'folder', 'hash', 'text', 'at']
  return isObject(value) && texts.every(name => typeof value[name] === 'string') && typeof value.isProject === 'boolean'
}

function decodeHashes(value: unknown): ReadonlyMap<string, readonly unknown[]> | null {
  if (!isObject(value) || value.version !== 1 || !isObject(value.files)) return null
  return new Map(Object.entries(value.files).map(([file, hashes]) => [file, Array.isArray(hashes) ? hashes : []]))
}

/** The version that is on disk, else the last good one, where that was trusted. */
function withTexts(home: string, files: ReadonlyMap<string, readonly unknown[]>): readonly TrustRecord[] {
  return [...files].flatMap(([file, hashes]) => {
    const texts = [readIfThere(file), readGood(homePaths(home).goodPolicies, file)]
    const text = texts.find(each => each !== null && hashes.includes(hashOf(each))) ?? null
    return text === null ? [] : [{ ...describe(home, file), hash: hashOf(text), text, at: '' }]
  })
}

function describe(home: string, file: string): Omit<TrustRecord, 'hash' | 'text' | 'at'> {
  const place = placeOf(file)
  const root = dirname(dirname(place))
  const repository = findRepository(root)
  return {
    file: place,
    real: realOf(file),
    root,
    isProject: PROJECT_FILE.test(place) && !place.startsWith(`${realOf(home)}/`),
    repository: repository?.common ?? null,
    folder: repository === null ? '' : inRepository(repository, root),
  }
}

const PROJECT_FILE = /\/\.(?:belay|mentu)\/[^/]+$/

/** A worktree that nobody has looked at yet is under what was accepted for the repository. */
function inAnotherWorktree(records: readonly TrustRecord[], place: string): TrustRecord | undefined {
  if (!records.some(record => record.repository !== null)) return undefined
  const root = dirname(dirname(place))
  const repository = findRepository(root)
  if (repository === null) return undefined
  const folder = inRepository(repository, root)
  const name = nameInRoot(place)
  return records.find(record => record.repository === repository.common && record.folder === folder && nameInRoot(record.file) === name)
}

/** `.belay/genesis.key` */
function nameInRoot(place: string): string {
  return join(basename(dirname(place)), basename(place))
}

/** Only what stands above the file's own folder is resolved: that folder may be gone, or a link that is. */
function placeOf(file: string): string {
  const whole = resolve(file)
  return join(realOf(dirname(dirname(whole))), nameInRoot(whole))
}

/** Names directly in a folder below which something was trusted, whether it is still there or not. */
export function trustedNames({ records }: Pick<TrustStore, 'records'>, folder: string): readonly string[] {
  const prefix = `${realOf(folder)}/`
  const below = records.filter(({ file, hash }) => hash !== NONE && file.startsWith(prefix))
  return [...new Set(below.map(({ file }) => file.slice(prefix.length).split('/')[0] ?? ''))]
}

/** Without links, as far as it is there. */
function realOf(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    return dirname(whole) === whole ? whole : join(realOf(dirname(whole)), basename(whole))
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
