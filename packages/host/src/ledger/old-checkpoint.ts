// The last checkpoint lies in a file beside the database. When it is of another ledger, the database was removed, emptied or replaced: the
// old checkpoint is set aside, where `doctor` finds it, and the new ledger says so in its own record.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseCheckpoint, parseNote } from '@belay/core/ledger'

export interface OldCheckpoint {
  readonly origin: string
  readonly size: number
  readonly keptIn: string
}

const SET_ASIDE = /^checkpoint-of-[0-9a-z]+\.note$/

export function setOldCheckpointAside(file: string, origin: string): OldCheckpoint | undefined {
  const found = readCheckpointFile(file)
  if (!found || found.origin === origin) return undefined
  const keptIn = join(dirname(file), `checkpoint-of-${basename(found.origin).replaceAll(/[^0-9a-z]/g, '')}.note`)
  renameSync(file, keptIn)
  return { ...found, keptIn }
}

/** Those that were set aside in a home. */
export function listOldCheckpoints(home: string): readonly OldCheckpoint[] {
  if (!existsSync(home)) return []
  return readdirSync(home)
    .filter(name => SET_ASIDE.test(name))
    .flatMap(name => {
      const keptIn = join(home, name)
      const found = readCheckpointFile(keptIn)
      return found ? [{ ...found, keptIn }] : []
    })
}

function readCheckpointFile(file: string): { readonly origin: string; readonly size: number } | undefined {
  if (!existsSync(file)) return undefined
  return parseCheckpoint(parseNote(readFileSync(file, 'utf8'))?.text ?? '') ?? undefined
}
