// page.commitment: a commitment with everything that was recorded under it, oldest first; an index finds it.
import type { Commitment } from '../../commitment/board.ts'
import type { RecordRow } from '../../page/record.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { listRecords } from './list-records.ts'
import type { PageParts } from './page-parts.ts'

const MAX_ROWS = 500

export interface CommitmentView {
  readonly commitment: Commitment
  readonly timeline: readonly RecordRow[]
}

export async function readCommitment({ commitments, ledger: { store } }: PageParts, id: string): Promise<CommitmentView> {
  const commitment = await commitments.find(id)
  if (commitment === null) throw new RpcError(RPC_REFUSED, `there is no commitment ${id}`)
  const { rows } = await listRecords(store, { filter: { commitment: id }, before: null, limit: MAX_ROWS })
  return { commitment, timeline: rows.toReversed() }
}
