// Walks the ledger in small steps, so that a search over a million entries never holds up a decision: a step looks at a hundred rows at
// most, and between steps the daemon does its other work. Entries come in order of seq; times are taken to follow it, as they do but for
// clocks that jumped.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '@belay/core/ledger'
import { type EntryFilter, queryEntries } from '../ledger/read-entry.ts'
import type { Store } from '../store/store.ts'

export interface ScanStep {
  /** Those that match, newest first. */
  readonly entries: readonly Entry[]
  /** Everything from this seq on was looked at. */
  readonly from: number
  /** How many entries were compared for this. */
  readonly looked: number
}

const STEP_ROWS = 100

/** From the newest before `before` back to the first. */
export async function* scanBack(store: Store, filter: EntryFilter, before: number): AsyncGenerator<ScanStep> {
  const begin = filter.until === undefined ? before : Math.min(before, await findAfter(store, filter.until))
  for (let end = begin; end > 1; ) {
    const { from, looked } = await chooseStep(store, filter, end)
    const entries = await queryEntries(store, { ...filter, first: from, last: end - 1 }, { limit: STEP_ROWS, newestFirst: true })
    yield { entries, from, looked }
    end = from
    if (filter.since !== undefined && (await timeOf(store, from)) < filter.since) return
    await nextTurn()
  }
}

/** From the oldest on, a step at a time. */
export async function* scanForward(store: Store, filter: EntryFilter): AsyncGenerator<readonly Entry[]> {
  const end = (filter.until === undefined ? await readLastSeq(store) : (await findAfter(store, filter.until)) - 1) + 1
  const begin = filter.since === undefined ? 1 : await findAfter(store, filter.since, true)
  for (let first = begin; first < end; first += STEP_ROWS) {
    const last = Math.min(first + STEP_ROWS, end) - 1
    yield await queryEntries(store, { ...filter, first, last }, { limit: STEP_ROWS, newestFirst: false })
    await nextTurn()
  }
}

export async function readLastSeq(store: Store): Promise<number> {
  const row = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** Where a step begins: few rows away, or as far back as an index reaches over the same number of candidates. */
async function chooseStep(store: Store, filter: EntryFilter, end: number): Promise<Pick<ScanStep, 'from' | 'looked'>> {
  const column = indexedColumn(filter)
  if (column === null) return { from: Math.max(1, end - STEP_ROWS), looked: Math.min(STEP_ROWS, end - 1) }
  const candidates = await store.db
    .selectFrom('ledger')
    .select('seq')
    .where(column.name, '=', column.value)
    .where('seq', '<', end)
    .orderBy('seq', 'desc')
    .limit(STEP_ROWS)
    .execute()
  const last = candidates.at(-1)
  return { from: candidates.length < STEP_ROWS || last === undefined ? 1 : last.seq, looked: candidates.length }
}

type Indexed = { readonly name: 'refusal' | 'session' | 'commitment'; readonly value: string }

function indexedColumn({ verdict, session, commitment }: EntryFilter): Indexed | null {
  if (commitment !== undefined && !commitment.includes('*')) return { name: 'commitment', value: commitment }
  if (session !== undefined && !session.includes('*')) return { name: 'session', value: session }
  return verdict === 'deny' || verdict === 'ask' ? { name: 'refusal', value: verdict } : null
}

/** The first seq whose entry is later than `time` (or at it, where `included`). */
async function findAfter(store: Store, time: string, included = false): Promise<number> {
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

async function timeOf(store: Store, seq: number): Promise<string> {
  const row = await store.db.selectFrom('ledger').select('time').where('seq', '=', seq).executeTakeFirst()
  return row?.time ?? ''
}
