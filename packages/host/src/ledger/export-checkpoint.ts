// Checkpoints go to a second place, so that nobody can cut off the ledger's tail unseen: a file, a git note, a webhook.
// Invariant: a place never goes back. A smaller checkpoint than the one there is refused, because that is what cutting looks like.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parseCheckpoint, parseNote } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { makeFolder } from '../disk/make-folder.ts'
import { splitNotes } from './split-notes.ts'

export type CheckpointTarget =
  | { readonly type: 'file'; readonly file: string }
  /** A note on the repository's HEAD, under refs/notes/belay. */
  | { readonly type: 'git'; readonly repository: string }
  | { readonly type: 'webhook'; readonly url: string }

const run = promisify(execFile)
const WEBHOOK_TIMEOUT_MS = 10_000

/** `file:PATH`, `git:REPOSITORY`, a URL, or a path; paths are seen from `folder`. */
export function parseCheckpointTarget(text: string, folder: string): CheckpointTarget {
  if (/^https?:\/\//.test(text)) return { type: 'webhook', url: text }
  if (text.startsWith('git:')) return { type: 'git', repository: resolve(folder, text.slice(4)) }
  return { type: 'file', file: resolve(folder, text.replace(/^file:/, '')) }
}

/** Resolves to what went wrong, or undefined. */
export async function exportCheckpoint(target: CheckpointTarget, note: string): Promise<string | undefined> {
  try {
    switch (target.type) {
      case 'file':
        return await writeNote(target.file, note)
      case 'git':
        return await appendNote(target.repository, note)
      case 'webhook':
        return await postNote(target.url, note)
    }
  } catch (error) {
    return `checkpoint not exported: ${errorText(error)}`
  }
}

async function writeNote(file: string, note: string): Promise<string | undefined> {
  const refusal = existsSync(file) ? refuseSmaller(file, await readFile(file, 'utf8'), note) : undefined
  if (refusal !== undefined) return refusal
  makeFolder(dirname(file), 0o700)
  const temporary = `${file}.${process.pid}.tmp`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(note)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  return undefined
}

/** Those of before stay: a note grows. */
async function appendNote(repository: string, note: string): Promise<string | undefined> {
  const notes = (...args: string[]) => run('git', ['-C', repository, 'notes', '--ref', 'belay', ...args])
  // There may be none yet; where git does not work, appending says why.
  const there = await notes('show', 'HEAD').then(
    shown => shown.stdout,
    () => '',
  )
  const refusal = refuseSmaller(repository, there, note)
  if (refusal !== undefined) return refusal
  if (!splitNotes(there).includes(note)) await notes('append', '-m', note, 'HEAD')
  return undefined
}

function refuseSmaller(place: string, there: string, note: string): string | undefined {
  const size = sizeOf(note)
  const largest = Math.max(...splitNotes(there).map(sizeOf))
  if (size >= largest) return undefined
  return `${place} holds a checkpoint of ${largest} records, this one has ${size}: the ledger was cut or an old copy restored; run belay ledger verify`
}

async function postNote(url: string, note: string): Promise<string | undefined> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: note,
    redirect: 'error',
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  })
  await response.body?.cancel()
  return response.ok ? undefined : `checkpoint not exported: ${url} answered ${response.status}`
}

function sizeOf(note: string): number {
  return parseCheckpoint(parseNote(note)?.text ?? '')?.size ?? 0
}
