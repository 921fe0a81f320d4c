// Where a time stands in the ledger. Times are taken to follow seq, as they do but for clocks that jumped.
import type { Store } from '../store/store.ts'
import { readLastSeq } from './read-entry.ts'

/** The first seq whose entry is later than `time` (or at it, where `included`). */
export async function findAfter(store: Store, time: string, included = false): Promise<number> {
  let low = 1
  let high = (await readLastSeq(store)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = await timeOf(store, middle)
    if (included ? at >= time : at > time) high = middle
    else low = middle + 1
  }
  return low
}

export interface SeqRange {
  readonly first: number
  readonly last: number
}

/** Entries between two times, both included. */
export async function findRange(store: Store, { since, until }: { readonly since?: string; readonly until?: string }): Promise<SeqRange> {
  return {
    first: since === undefined ? 1 : await findAfter(store, since, true),
    last: until === undefined ? await readLastSeq(store) : (await findAfter(store, until)) - 1,
  }
}

export async function timeOf(store: Store, seq: number): Promise<string> {
  const row = await store.db.selectFrom('ledger').select('time').where('seq', '=', seq).executeTakeFirst()
  return row?.time ?? ''
}
