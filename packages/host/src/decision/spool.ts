// Events that happened while there was no daemon: one file each, redacted, written whole or not at all, with the id of the call, which makes
// recording it twice harmless.

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryDraft } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import type { SpooledAsk } from '../approval/spooled-ask.ts'
import { makeFolder } from '../disk/make-folder.ts'

export interface SpooledEvent {
  /** The same event delivered twice is one record. */
  readonly eventId: string
  readonly draft: EntryDraft
  /** What the record does not hold and the state of the work needs; missing: the entry is no event. */
  readonly call?: SpooledCall
  /** What a person is asked because of it. */
  readonly asked?: SpooledAsk
}

export interface SpooledCall {
  readonly happenedAt: number
  readonly transcriptPath: string | null
  /** Of the hook process. */
  readonly env: Readonly<Record<string, string>>
}

const NAME = /^\d{15}-[0-9a-f-]{36}\.json$/

export function spoolEvent(folder: string, event: SpooledEvent, nowMs: number): void {
  makeFolder(folder, 0o700)
  const name = `${String(Math.floor(nowMs)).padStart(15, '0')}-${randomUUID()}.json`
  const temporary = join(folder, `.${name}`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, JSON.stringify(event))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, join(folder, name))
}

/** The latest that wait for the daemon, in order; what cannot be read is passed over. */
export function readSpool(folder: string, most: number): readonly SpooledEvent[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter(name => NAME.test(name))
    .sort()
    .slice(-most)
  return names.map(name => readSpooled(join(folder, name))).filter(event => typeof event !== 'string')
}

/** Hands over every spooled event in order; a file goes once its event was taken. Gives the number taken. */
export async function replaySpool(
  folder: string,
  take: (event: SpooledEvent) => Promise<unknown>,
  onBroken: (file: string, why: string) => void,
): Promise<number> {
  if (!existsSync(folder)) return 0
  let taken = 0
  for (const name of readdirSync(folder).sort()) {
    if (!NAME.test(name)) continue
    const path = join(folder, name)
    const event = readSpooled(path)
    if (typeof event === 'string') {
      // Kept under another name: it is evidence that something was lost.
      renameSync(path, `${path}.broken`)
      onBroken(path, event)
      continue
    }
    await take(event)
    rmSync(path, { force: true })
    taken++
  }
  return taken
}

function readSpooled(path: string): SpooledEvent | string {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isSpooled(value) ? value : 'not a spooled event'
  } catch (error) {
    return errorText(error)
  }
}

function isSpooled(value: unknown): value is SpooledEvent {
  if (typeof value !== 'object' || value === null || !('eventId' in value) || !('draft' in value)) return false
  const { eventId, draft } = value
  return (
    typeof eventId === 'string' && typeof draft === 'object' && draft !== null && 'kind' in draft && 'body' in draft && 'actor' in draft
  )
}
