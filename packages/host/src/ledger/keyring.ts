// Which key signs, and how it is replaced. Invariant: a new key is in use only once the entry that introduces it is on disk,
// under a checkpoint that both keys signed.
import { type Entry, type EntryDraft, formatNoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import type { Store, Write } from '../store/store.ts'
import { listKeys, prepareKeyInsert } from '../store/table/key.ts'
import { KEY_ROTATED, LEDGER_ACTOR } from './ledger-kind.ts'
import { createSigner, loadSigner } from './signing-key.ts'

export interface Keyring {
  /** Those who sign a checkpoint: one, or none before the first. */
  signers(): readonly NoteSigner[]
  /** Brings the key of this ledger into use, making it where there is none. */
  open(): Promise<void>
  rotate(actor: string, reason: string): Promise<Entry>
}

export interface KeyringOptions {
  readonly store: Store
  readonly directory: string
  readonly origin: string
  append(
    draft: EntryDraft,
    options: { readonly seal: true; readonly cosigner: NoteSigner; readonly writes: readonly Write[] },
  ): Promise<Entry>
}

export function createKeyring({ store, directory, origin, append }: KeyringOptions): Keyring {
  let current: NoteSigner | undefined

  const rotate = async (actor: string, reason: string): Promise<Entry> => {
    const known = await listKeys(store)
    const next = createSigner(directory, origin)
    const body = { reason, from: known.at(-1) ?? null, to: formatNoteKey(next) }
    const writes = [prepareKeyInsert(store)(known.length + 1, formatNoteKey(next))]
    const entry = await append({ actor, session: null, kind: KEY_ROTATED, policy: null, body }, { seal: true, cosigner: next, writes })
    current = next
    return entry
  }

  const createFirst = async (): Promise<NoteSigner> => {
    const signer = createSigner(directory, origin)
    await store.commit([prepareKeyInsert(store)(1, formatNoteKey(signer))])
    return signer
  }

  return {
    signers: () => (current ? [current] : []),
    rotate,
    open: async () => {
      const last = (await listKeys(store)).at(-1)
      const key = last === undefined ? undefined : parseNoteKey(last)
      current = last === undefined ? await createFirst() : key && loadSigner(directory, key)
      if (!current) await rotate(LEDGER_ACTOR, 'the private key is not on this machine')
    },
  }
}
