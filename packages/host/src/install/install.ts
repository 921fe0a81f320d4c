// Puts our hooks into an agent's files and takes them out again. A change is planned for all files first; where one of them cannot be
// written, those before it are put back.
import { chmodSync, existsSync, lstatSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOurCommand } from '../agent/hook-command.ts'
import { type InstallPlace, OWN_MARK, type Target, type TargetFile } from '../agent/target.ts'
import { replaceFile } from '../disk/write-file.ts'
import { addHooks, removeHooks } from './hook-edit.ts'
import { dropRecord, type FileRecord, type InstallRecord, readRecord, recordPath, sha256, writeRecord } from './install-record.ts'

export interface FileChange {
  readonly path: string
  readonly before: string | null
  /** Null: the file goes. */
  readonly after: string | null
}

type Refused = { readonly path: string; readonly why: string; readonly line: number | null }

export type Installed = { readonly ok: true; readonly changes: readonly FileChange[] } | ({ readonly ok: false } & Refused)

export interface InstallOptions {
  readonly target: Target
  readonly place: InstallPlace
  readonly home: string
  /** Plan only. */
  readonly dryRun: boolean
}

interface Planned {
  readonly change: FileChange
  readonly original: Buffer | null
  readonly mode: number | undefined
}

export function install({ target, place, home, dryRun }: InstallOptions): Installed {
  const path = recordPath(home, target.agent, place)
  const known = readRecord(path)
  const planned: Planned[] = []
  let foreign: string | null = null
  for (const file of target.files(place)) {
    if (isForeign(file)) {
      foreign = file.path
      continue
    }
    const plan = explained(file.path, () => planFile(file, recordOf(known, file.path)))
    if ('why' in plan) return { ok: false, ...plan }
    planned.push(plan)
  }
  if (planned.length === 0) return { ok: false, line: null, ...nothingToWrite(foreign, place) }
  const changes = planned.filter(isNeeded).map(({ change }) => change)
  if (dryRun) return { ok: true, changes }
  const folders = [...new Set([...(known?.folders ?? []), ...planned.flatMap(({ change }) => missingFolders(change.path))])]
  writeRecord(path, {
    agent: target.agent,
    scope: place.scope,
    projectRoot: place.scope === 'user' ? null : place.projectRoot,
    files: planned.map(({ change, original }) => ({
      path: change.path,
      original: original?.toString('base64') ?? null,
      written: sha256(change.after ?? ''),
    })),
    folders,
  })
  const refused = writeAll(planned)
  if (refused === null) return { ok: true, changes }
  if (known === null) dropRecord(path)
  else writeRecord(path, known)
  return { ok: false, ...refused }
}

/** A file of somebody else in a place that can do without ours. */
export function isForeign(file: TargetFile): boolean {
  if (file.kind !== 'own' || file.maySkip !== true || !existsSync(file.path)) return false
  return !statSync(file.path).isFile() || !readFileSync(file.path, 'utf8').includes(OWN_MARK)
}

function nothingToWrite(foreign: string | null, { projectRoot }: InstallPlace): Omit<Refused, 'line'> {
  return foreign === null
    ? { path: projectRoot, why: 'it is not a git repository' }
    : { path: foreign, why: 'every place is taken by a file of somebody else; move one away first' }
}

function writeAll(planned: readonly Planned[]): Refused | null {
  const written: Planned[] = []
  for (const plan of planned) {
    const { change, mode } = plan
    if (change.after === null || !isNeeded(plan)) continue
    const text = change.after
    const refused = explained(change.path, () => {
      replaceFile(change.path, text, mode)
      if (mode !== undefined) chmodSync(change.path, mode)
    })
    if (refused !== undefined) {
      for (const { change: done } of written) putBack(done)
      return refused
    }
    written.push(plan)
  }
  return null
}

function isNeeded({ change: { path, before, after }, mode }: Planned): boolean {
  return before !== after || (mode !== undefined && !isExecutable(path))
}

/** Git and Cline pass over a hook that is not. */
export function isExecutable(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0
}

function putBack({ path, before }: FileChange): void {
  if (before === null) rmSync(path, { force: true })
  else replaceFile(path, before)
}

/** What the file system refuses is a refusal with its place, like any other. */
function explained<T>(path: string, attempt: () => T): T | Refused {
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
    return { path, why: REFUSALS[error.code] ?? error.message, line: null }
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'a part of this path is a file, not a folder',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not write it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Gives back what was there before; where somebody has changed the file since, only our entries go. */
export function uninstall({ target, place, home, dryRun }: InstallOptions): Installed {
  const path = recordPath(home, target.agent, place)
  const known = readRecord(path)
  const changes: (FileChange & { readonly content: Buffer | string | null })[] = []
  for (const file of target.files(place)) {
    const restored = explained(file.path, () => restoreFile(file, recordOf(known, file.path)))
    if ('why' in restored) return { ok: false, ...restored }
    if (restored.before !== restored.after) changes.push(restored)
  }
  if (!dryRun) {
    for (const { path: file, content } of changes) {
      const refused = explained(file, () => void (content === null ? rmSync(file, { force: true }) : replaceFile(file, content)))
      if (refused !== undefined) return { ok: false, ...refused }
    }
    removeFolders(known)
    dropRecord(path)
  }
  return { ok: true, changes: changes.map(({ path: file, before, after }) => ({ path: file, before, after })) }
}

function planFile(file: TargetFile, record: FileRecord | null): Planned | Refused {
  const { path } = file
  const bytes = existsSync(path) ? readFileSync(path) : null
  if (bytes === null && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    return { path, why: 'it is a link to a file that is not there; make that file or take the link away', line: null }
  const before = bytes?.toString('utf8') ?? null
  if (file.kind === 'own') {
    if (before !== null && !before.includes(OWN_MARK))
      return { path, why: 'there is a file of somebody else in this place; move it away first', line: null }
    return { change: { path, before, after: file.text }, original: null, mode: file.mode }
  }
  if (bytes !== null && before !== null && !Buffer.from(before).equals(bytes)) return { path, why: 'it is not UTF-8', line: null }
  const clean = cleaned(before, record)
  if ('why' in clean) return { path, why: clean.why, line: lineOf(before, clean.at) }
  const edited = addHooks(clean.text, file.hooks)
  if (!edited.ok) return { path, why: edited.why, line: lineOf(clean.text, edited.at) }
  return {
    change: { path, before, after: edited.text },
    original: clean.text === null ? null : Buffer.from(clean.text),
    mode: undefined,
  }
}

/** The file as it would be without us. */
function cleaned(
  before: string | null,
  record: FileRecord | null,
): { readonly text: string | null } | { readonly why: string; readonly at: number } {
  if (before === null) return { text: null }
  if (record !== null && sha256(before) === record.written) return { text: originalOf(record)?.toString('utf8') ?? null }
  const removed = removeHooks(before, isOurCommand, { original: originalOf(record)?.toString('utf8') ?? null })
  return removed.ok ? { text: removed.text } : removed
}

function restoreFile(file: TargetFile, record: FileRecord | null): (FileChange & { readonly content: Buffer | string | null }) | Refused {
  const { path } = file
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null
  if (before === null) return { path, before, after: null, content: null }
  if (record !== null && sha256(before) === record.written) {
    const original = originalOf(record)
    return { path, before, after: original?.toString('utf8') ?? null, content: original }
  }
  if (file.kind === 'own') {
    const after = before.includes(OWN_MARK) ? null : before
    return { path, before, after, content: after }
  }
  const original = originalOf(record)
  const removed = removeHooks(before, isOurCommand, { original: original?.toString('utf8') ?? null, beside: file.hooks.beside ?? {} })
  if (!removed.ok) return { path, why: removed.why, line: lineOf(before, removed.at) }
  const isEmpty = record !== null && original === null && removed.text.trim() === '{}'
  return { path, before, after: isEmpty ? null : removed.text, content: isEmpty ? null : removed.text }
}

function originalOf(record: FileRecord | null): Buffer | null {
  return record === null || record.original === null ? null : Buffer.from(record.original, 'base64')
}

function recordOf(record: InstallRecord | null, path: string): FileRecord | null {
  return record?.files.find(file => file.path === path) ?? null
}

function missingFolders(path: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) folders.unshift(folder)
  return folders
}

/** Innermost first, and only while empty. */
function removeFolders(record: InstallRecord | null): void {
  for (const folder of (record?.folders ?? []).toReversed()) {
    try {
      rmdirSync(folder)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(String(error.code)))) throw error
    }
  }
}

function lineOf(text: string | null, at: number): number | null {
  return text === null ? null : text.slice(0, at).split('\n').length
}
