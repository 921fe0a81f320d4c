// Whether several files and folders are as they were when they were looked at, as cheap as can be: whoever asks does so for every call.
// Nothing is looked at for each file that is not there, but once for the folder in which it would appear. A file that was written just before
// we looked may be written once more within the same tick of the file system's clock and show the same times and size: it never counts as
// unchanged, so whoever asks reads it again until the tick is over.
import { type BigIntStats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isThere, statFile } from './stat-file.ts'

export interface FilePrints {
  has(file: string): boolean
  areSame(): boolean
}

interface Print {
  readonly file: string
  /** null: there was nothing. */
  readonly stat: BigIntStats | null
}

interface Look {
  readonly prints: readonly Print[]
  /** Nothing of it was written within the tick before. */
  readonly isSure: boolean
}

/** Longer than any tick of a file system on Linux or macOS. */
const TICK_MS = 20n
const NS_OF_MS = 1_000_000n

export function takePrints(files: Iterable<string>): FilePrints {
  const known = new Set(files)
  let signs = lookAtSigns(known)
  const all = lookAt(known)
  return {
    has: file => known.has(file),
    areSame() {
      if (isSame(signs)) return true
      // Taken before the rest: what changes meanwhile shows the next time.
      const now = lookAtSigns(known)
      if (!isSame(all)) return false
      signs = now
      return true
    },
  }
}

/**
 * Those that are there, and the folders of those that are not: when these are the same, all are. A link that leads nowhere is there: what it
 * leads to appears elsewhere.
 */
function lookAtSigns(files: Iterable<string>): Look {
  const signs = new Set<string>()
  for (const file of files) signs.add(nearest(file))
  return lookAt(signs)
}

function nearest(file: string): string {
  const above = dirname(file)
  return above === file || isThere(file) ? file : nearest(above)
}

function lookAt(files: Iterable<string>): Look {
  const now = BigInt(Date.now())
  const prints = Array.from(files, file => ({ file, stat: statFile(file) }))
  return { prints, isSure: !prints.some(print => isWithinTick(print, now)) }
}

/** A time to come says that the clock was set back, which is no reason to read for ever. */
function isWithinTick({ stat: found }: Print, nowMs: bigint): boolean {
  if (found === null) return false
  const ageMs = nowMs - found.ctimeNs / NS_OF_MS
  return ageMs >= -1n && ageMs < TICK_MS
}

function isSame({ prints, isSure }: Look): boolean {
  return isSure && prints.every(isUnchanged)
}

function isUnchanged({ file, stat: before }: Print): boolean {
  const now = statNow(file)
  if (before === null || now === null) return before === now
  return now.ino === before.ino && now.ctimeNs === before.ctimeNs && now.mtimeNs === before.mtimeNs && now.size === before.size
}

/** What `statFile` does, in this file: every call asks it of several files, and a look-up does not lead through others. */
function statNow(file: string): BigIntStats | null {
  try {
    return statSync(file, { throwIfNoEntry: false, bigint: true }) ?? null
  } catch {
    return null
  }
}
