// Walks the ledger in small steps, so that a search over a million entries never holds up a decision: a step looks at a hundred rows at
// most, and at fewer where large values are searched for a text; between steps the daemon does its other work. Entries come in order of
// seq; times are taken to follow it, as they do but for clocks that jumped.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '@belay/core/ledger'
import { sql } from 'kysely'
import { findAfter, timeOf } from '../../ledger/find-time.ts'
import { type EntryFilter, queryEntries, readLastSeq } from '../../ledger/read-entry.ts'
import type { Store } from '../../store/store.ts'

export interface ScanStep {
  /** Those that match, newest first. */
  readonly entries: readonly Entry[]
  /** Everything from this seq on was looked at. */
  readonly from: number
  /** How many entries were compared for this. */
  readonly looked: number
}

const STEP_ROWS = 100
/** Of large values in one step, where a text is looked for in them. */
const STEP_BYTES = 2 * 1024 * 1024
const STEP_BLOBS = 1000

/** From the newest before `before` back to the first. */
export async function* scanBack(store: Store, filter: EntryFilter, before: number): AsyncGenerator<ScanStep> {
  const begin = filter.until === undefined ? before : Math.min(before, await findAfter(store, filter.until))
  for (let end = begin; end > 1; ) {
    const { from, looked } = await lightenStep(store, filter, { end, ...(await chooseStep(store, filter, end)) })
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
  for (let first = begin; first < end; ) {
    const wanted = Math.min(first + STEP_ROWS, end) - 1
    const heavy = filter.text === undefined ? null : await findHeavy(store, { first, last: wanted, order: 'asc' })
    const last = heavy === null ? wanted : Math.max(heavy - 1, first)
    yield await queryEntries(store, { ...filter, first, last }, { limit: STEP_ROWS, newestFirst: false })
    first = last + 1
    await nextTurn()
  }
}

interface Range {
  readonly first: number
  readonly last: number
  readonly order: 'asc' | 'desc'
}

/** The entry, seen from one end of a range, with which its large values become too much for one step; null: none does. */
async function findHeavy(store: Store, { first, last, order }: Range): Promise<number | null> {
  const blobs = await store.db
    .selectFrom('blobs')
    .select(['seq', sql<number | null>`length(content)`.as('bytes')])
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .orderBy('seq', order)
    .limit(STEP_BLOBS)
    .execute()
  let sum = 0
  for (const { seq, bytes } of blobs) {
    sum += bytes ?? 0
    if (sum > STEP_BYTES) return seq
  }
  return blobs.length < STEP_BLOBS ? null : (blobs.at(-1)?.seq ?? null)
}

type Step = Pick<ScanStep, 'from' | 'looked'>

async function lightenStep(store: Store, filter: EntryFilter, { from, looked, end }: Step & { readonly end: number }): Promise<Step> {
  const heavy = filter.text === undefined ? null : await findHeavy(store, { first: from, last: end - 1, order: 'desc' })
  if (heavy === null) return { from, looked }
  const light = Math.min(heavy + 1, end - 1)
  return { from: light, looked: Math.min(looked, end - light) }
}

/** Where a step begins: few rows away, or as far back as an index reaches over the same number of candidates. */
async function chooseStep(store: Store, filter: EntryFilter, end: number): Promise<Step> {
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
