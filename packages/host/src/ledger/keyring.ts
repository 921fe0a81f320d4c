// Which key signs, and how it is replaced. Invariant: a new key is in use only once the entry that introduces it is on disk,
// under a checkpoint that both keys signed.
import { type Entry, type EntryDraft, formatNoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import type { Store, Write } from '../store/store.ts'
import { findLastCheckpoint } from '../store/table/checkpoint.ts'
import { listKeys, prepareKeyInsert } from '../store/table/key.ts'
import { KEY_ROTATED, LEDGER_ACTOR } from './ledger-kind.ts'
import { createRowMac, type MakeMac } from './row-mac.ts'
import { createSigner, loadSigner } from './signing-key.ts'

export interface Keyring {
  /** Those who sign a checkpoint: one, or none before the first. */
  signers(): readonly NoteSigner[]
  /** By the key in use; while a lost one is replaced, by the new one. */
  makeMac: MakeMac
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

/** Of a key in the store; undefined where its private half is not here, or cannot be read. */
export function findSigner(directory: string, text: string): NoteSigner | undefined {
  const key = parseNoteKey(text)
  return key && loadSigner(directory, key)
}

export function createKeyring({ store, directory, origin, append }: KeyringOptions): Keyring {
  let current: NoteSigner | undefined
  let makeMac: MakeMac | undefined

  const use = (signer: NoteSigner): void => {
    current = signer
    makeMac = createRowMac(signer.privateKey)
  }

  const rotate = async (actor: string, reason: string, more: Readonly<Record<string, unknown>> = {}): Promise<Entry> => {
    const known = await listKeys(store)
    const next = createSigner(directory, origin)
    const body = { reason, from: known.at(-1) ?? null, to: formatNoteKey(next), ...more }
    makeMac ??= createRowMac(next.privateKey)
    const writes = [prepareKeyInsert(store)(known.length + 1, formatNoteKey(next))]
    const entry = await append({ actor, session: null, kind: KEY_ROTATED, policy: null, body }, { seal: true, cosigner: next, writes })
    use(next)
    return entry
  }

  const createFirst = async (): Promise<NoteSigner> => {
    const signer = createSigner(directory, origin)
    await store.commit([prepareKeyInsert(store)(1, formatNoteKey(signer))])
    return signer
  }

  return {
    signers: () => (current ? [current] : []),
    makeMac: rowHash => {
      if (!makeMac) throw new Error('an entry was written before there was a key')
      return makeMac(rowHash)
    },
    rotate,
    open: async () => {
      const last = (await listKeys(store)).at(-1)
      const signer = last === undefined ? await createFirst() : findSigner(directory, last)
      if (signer) use(signer)
      // A new start, and said to be one: what no checkpoint covers yet cannot be checked without the old key.
      else await rotate(LEDGER_ACTOR, 'the private key is lost', { unchecked: await countUnsealed(store) })
    },
  }
}

async function countUnsealed(store: Store): Promise<number> {
  const last = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return (last?.seq ?? 0) - ((await findLastCheckpoint(store))?.size ?? 0)
}
