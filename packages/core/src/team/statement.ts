// What machines, hubs and people of a team sign. Each text begins with its own purpose, so that a signature of one kind can never be shown as
// one of another, and none of them is a checkpoint.
import { findSigners, formatNoteKey, type NoteKey, type NoteSigner, parseNote, parseNoteKey, signNote } from '../ledger/note.ts'

export type Purpose = 'machine' | 'login' | 'hub' | 'publisher' | 'bundle'

/** Signed by `signer`; `lines` hold no line ends. */
export function signStatement(purpose: Purpose, lines: readonly string[], signer: NoteSigner): string {
  return signNote(writeText(purpose, lines), [signer])
}

/** Whether `key` signed exactly this. */
export function isStatement(note: string, purpose: Purpose, lines: readonly string[], key: NoteKey): boolean {
  const parsed = parseNote(note)
  return parsed !== undefined && parsed.text === writeText(purpose, lines) && findSigners(parsed, [key]).length === 1
}

/** The key that a statement of this purpose ends with, where `key` signed it. */
export function readEndorsedKey(note: string, purpose: Purpose, key: NoteKey): NoteKey | undefined {
  const last = parseNote(note)?.text.split('\n').at(-2)
  const endorsed = last === undefined ? undefined : parseNoteKey(last)
  return endorsed && isStatement(note, purpose, [formatNoteKey(endorsed)], key) ? endorsed : undefined
}

function writeText(purpose: Purpose, lines: readonly string[]): string {
  return `belay.team/${purpose}/v1\n${lines.map(line => `${line.replaceAll(/[\r\n]/g, ' ')}\n`).join('')}`
}
