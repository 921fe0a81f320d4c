// The last checkpoint of this ledger that the hub has cosigned: its word for what it holds, which it cannot take back.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type NoteKey, parseCheckpoint, parseNoteKey, readCosignature, type TreeHead } from '@belay/core/ledger'
import { replaceFile } from '../disk/write-file.ts'
import { cosignedFile, type Membership } from './membership.ts'

export interface CosignedNote {
  /** Entries that it is over; 0: there is none. */
  size(): number
  /** Text: it is not what this hub may say. */
  keep(note: unknown): Promise<string | null>
}

export interface CosignedOptions {
  readonly home: string
  readonly membership: Pick<Membership, 'hubKey'>
  /** The ledger of this name has made a checkpoint over so many entries with this root. */
  hasCheckpoint(origin: string, head: TreeHead): Promise<boolean>
}

export async function openCosignedNote({ home, membership, hasCheckpoint }: CosignedOptions): Promise<CosignedNote> {
  const file = cosignedFile(home)
  const hub = parseNoteKey(membership.hubKey)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null
  const known = before === null ? null : await readSize(before)
  let kept = { note: before, size: typeof known === 'number' ? known : 0 }

  /** Text: why it counts for nothing. */
  async function readSize(note: string): Promise<number | string> {
    const end = note.indexOf('\n\n')
    const text = note.slice(0, end + 1)
    if (!hub || !isCosigned(text, note.slice(end + 2).split('\n'), hub)) return 'the hub gave a cosignature that is not its own'
    const checkpoint = parseCheckpoint(text)
    if (checkpoint && (await hasCheckpoint(checkpoint.origin, checkpoint))) return checkpoint.size
    return 'the hub cosigned a checkpoint that this ledger has not made'
  }
  return {
    size: () => kept.size,
    keep: async note => {
      if (typeof note !== 'string' || note === kept.note) return null
      const size = await readSize(note)
      if (typeof size === 'string') return size
      if (size > kept.size) {
        replaceFile(file, note, 0o600)
        kept = { note, size }
      }
      return null
    },
  }
}

function isCosigned(text: string, lines: readonly string[], hub: NoteKey): boolean {
  return lines.some(line => readCosignature(text, line, hub) !== undefined)
}

/** A machine that joins begins a new chain: what was cosigned of the one before is kept beside it. */
export function setCosignedAside(home: string): void {
  const file = cosignedFile(home)
  if (existsSync(file)) renameSync(file, join(home, 'team', 'cosigned-before.note'))
}
