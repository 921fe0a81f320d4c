// Whether a machine's ledger is still the one that the hub knows. What an honest machine says can never look like a fork, however late or
// often it arrives: entry `from` was acknowledged, so the machine has it, and an entry never changes.
import { GENESIS_HASH } from '@belay/core/ledger'
import type { Chain } from '../chain/extend-chain.ts'
import { readLeaf } from '../chain/leaf-tile.ts'
import type { Database } from '../database/open-database.ts'
import type { UploadRequest } from './upload-request.ts'

export type ForkKind = 'rolled_back' | 'rewritten'

export interface Fork {
  readonly kind: ForkKind
  readonly what: string
}

export async function findFork(db: Database, chain: Chain, { from, prev, head }: UploadRequest): Promise<Fork | undefined> {
  // The hub itself lost something, say by a restore of its database: nothing to be said about the machine.
  if (from > chain.seq) return undefined
  if (head.seq < from) {
    const ours = head.seq === 0 ? GENESIS_HASH : await readLeaf(db, chain.id, head.seq)
    const is = `its ledger ends at ${head.seq}, the hub holds ${chain.seq}`
    return ours === head.hash
      ? { kind: 'rolled_back', what: `${is}: an older copy was put back, or its end was cut off` }
      : { kind: 'rewritten', what: `${is}, and entry ${head.seq} is another one` }
  }
  const ours = from === chain.seq ? chain.hash : from === 0 ? GENESIS_HASH : await readLeaf(db, chain.id, from)
  return ours === prev ? undefined : { kind: 'rewritten', what: `entry ${from} of its ledger is not the one that it sent before` }
}
