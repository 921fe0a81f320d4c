// The key of this machine's ledger, for what is signed in its name outside the ledger.
import { existsSync } from 'node:fs'
import type { NoteSigner } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { listKeys } from '../store/table/key.ts'
import { findOrigin } from '../store/table/meta.ts'
import { findSigner } from './keyring.ts'
import { locateLedger } from './ledger-files.ts'
import { openLedger } from './open-ledger.ts'

export interface MachineSigner {
  readonly origin: string
  readonly signer: NoteSigner
}

/** Why there is none, where there is none. */
export async function findMachineSigner(home: string): Promise<MachineSigner | string> {
  const files = locateLedger(home)
  try {
    const store = await openSqliteStore({ file: files.database, readOnly: true })
    try {
      const [origin, key] = [await findOrigin(store), (await listKeys(store)).at(-1)]
      const signer = key === undefined ? undefined : findSigner(files.keys, key)
      return origin !== undefined && signer ? { origin, signer } : 'the key of this ledger is not on this machine'
    } finally {
      await store.close()
    }
  } catch (error) {
    return errorText(error)
  }
}

/** The same; a machine that has no ledger yet gets one. */
export async function needMachineSigner(home: string): Promise<MachineSigner | string> {
  if (!existsSync(locateLedger(home).database)) await (await openLedger({ home })).close()
  return findMachineSigner(home)
}
