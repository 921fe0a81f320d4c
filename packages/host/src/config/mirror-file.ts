// What the daemon knows and a client needs when it is alone, as files under `$BELAY_HOME/run/mirror` that the client verifies: sealed with a
// secret of this machine, and not older than they say. An earlier version that somebody kept and put back is sealed too; but the system notes
// when a file was written, moved or linked, and that must be when its content says. Invariant: what cannot be verified is unknown, never empty.

import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorText, isObject } from '@belay/core/value'
import { readSealed, type SealPlace, writeSealed } from './sealed-file.ts'

export type MirrorRead =
  | { readonly kind: 'known'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly why: string }

/** Changes with what is in the files. */
const FORMAT = 1
/** Between the moment that the content names and the end of writing it. */
const WRITING_MS = 2000
/** A file may be replaced while it is read, and a machine may stand still while it writes. */
const TRIES = 3

export function mirrorFolder(home: string): string {
  return join(home, 'run', 'mirror')
}

export function readMirror(home: string, name: string): MirrorRead {
  const place = placeOf(home, name)
  let why = ''
  for (let tried = 0; tried < TRIES; tried++) {
    const read = readSealed(place)
    if (read.kind === 'missing') return read
    if (read.kind === 'unsealed') return { kind: 'damaged', why: `${place.file} is not as the daemon wrote it` }
    const { format, writtenAt, value } = isObject(read.value) ? read.value : {}
    if (format !== FORMAT || !isObject(value)) return { kind: 'damaged', why: `${place.file} is of another version of Belay` }
    if (typeof writtenAt === 'number' && isOfThen(read.changedAt, writtenAt)) return { kind: 'known', value }
    why = `${place.file} is an earlier version, or was moved`
  }
  return { kind: 'damaged', why }
}

/** Why it could not be written; null: it is there. One that is out of date does not stay: what is unknown raises no right. */
export function writeMirror(home: string, name: string, value: Readonly<Record<string, unknown>>, flush = false): string | null {
  const place = placeOf(home, name)
  let why = `${place.file} takes too long to write`
  try {
    for (let tried = 0; tried < TRIES; tried++) {
      const writtenAt = Date.now()
      writeSealed(place, { format: FORMAT, writtenAt, value }, flush)
      if (isOfThen(statSync(place.file).ctimeMs, writtenAt)) return null
    }
  } catch (error) {
    why = errorText(error)
  }
  try {
    rmSync(place.file, { force: true })
  } catch (error) {
    why = `${why}; and what is there cannot be removed: ${errorText(error)}`
  }
  return why
}

export function removeMirror(home: string, name: string): void {
  rmSync(placeOf(home, name).file, { force: true })
}

function isOfThen(changedAt: number, writtenAt: number): boolean {
  return Math.abs(changedAt - writtenAt) <= WRITING_MS
}

function placeOf(home: string, name: string): SealPlace {
  return { home, file: join(mirrorFolder(home), `${name}.json`), key: 'mirror.key' }
}
