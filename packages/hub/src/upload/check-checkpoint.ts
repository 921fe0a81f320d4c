// Whether a checkpoint is what a witness may sign: of this chain, signed by one of its keys, and with the root that the entries give which the
// hub holds. Since the hub only ever adds to a chain, a tree that it cosigns is a later state of every tree that it cosigned before.
import { findSigners, formatNoteKey, type NoteKey, parseCheckpoint, parseNote, parseNoteKey, type Tree, treeRoot } from '@belay/core/ledger'

export type CheckpointCheck =
  | { readonly ok: true; readonly text: string; readonly size: number; readonly keys: readonly string[] }
  | { readonly ok: false; readonly why: string }

export interface CheckpointContext {
  readonly origin: string
  /** Those that the hub knows of this chain. */
  readonly keys: readonly string[]
  /** Those that the machine says its ledger has. One is accepted where a checkpoint is signed by it beside one that was accepted. */
  readonly offered: readonly string[]
}

export function sizeOfCheckpoint(note: string): number | undefined {
  return parseCheckpoint(parseNote(note)?.text ?? '')?.size
}

export function checkCheckpoint(note: string, { origin, keys, offered }: CheckpointContext, tree: Tree): CheckpointCheck {
  const parsed = parseNote(note)
  const checkpoint = parseCheckpoint(parsed?.text ?? '')
  if (!parsed || !checkpoint || checkpoint.origin !== origin) return { ok: false, why: 'it is no checkpoint of this ledger' }
  if (findSigners(parsed, readKeys(keys, origin)).length === 0) return { ok: false, why: 'it is not signed by a key of this ledger' }
  if (checkpoint.size !== tree.size || !treeRoot(tree).equals(checkpoint.root))
    return { ok: false, why: `its root over ${checkpoint.size} entries is not the root of the entries that were sent` }
  const introduced = findSigners(parsed, readKeys(offered, origin)).map(formatNoteKey)
  return { ok: true, text: parsed.text, size: checkpoint.size, keys: [...new Set([...keys, ...introduced])] }
}

function readKeys(texts: readonly string[], origin: string): readonly NoteKey[] {
  return texts.map(parseNoteKey).filter(key => key !== undefined && key.name === origin) as NoteKey[]
}
