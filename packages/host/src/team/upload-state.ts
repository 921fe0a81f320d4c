// How the upload stands, for whoever asks: a file, because the one that uploads and the ones that ask are different processes.
import { existsSync, readFileSync } from 'node:fs'
import { isObject } from '@belay/core/value'
import { replaceFile } from '../disk/write-file.ts'
import type { Doubt } from './hub-doubts.ts'
import { stateFile } from './membership.ts'

export interface UploadState {
  /** Entries that the hub holds. */
  readonly acknowledged: number
  /** Entries of this ledger. */
  readonly head: number
  readonly cosigned: number
  readonly unseenTotal: number
  readonly lastOkAt: string | null
  readonly error: string | null
  /** The hub says that this ledger is not the one it was; nothing is sent until a person has looked. */
  readonly isFork: boolean
  /** The last thing about the hub that cannot be so, since the daemon began. */
  readonly doubt: Doubt | null
}

export const FIRST_STATE: UploadState = {
  acknowledged: 0,
  head: 0,
  cosigned: 0,
  unseenTotal: 0,
  lastOkAt: null,
  error: null,
  isFork: false,
  doubt: null,
}

export function readUploadState(home: string): UploadState | undefined {
  const file = stateFile(home)
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(value) ? { ...FIRST_STATE, ...value } : undefined
  } catch {
    return undefined
  }
}

/** Entries that the hub has not yet; 0 where this machine has joined no team. */
export function lagOf(state: UploadState | undefined): number {
  return state === undefined ? 0 : Math.max(0, state.head - state.acknowledged)
}

export function writeUploadState(home: string, state: UploadState): void {
  replaceFile(stateFile(home), `${JSON.stringify(state)}\n`, 0o600)
}
