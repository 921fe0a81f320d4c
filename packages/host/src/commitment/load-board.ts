// The board as the ledger tells it, from the first operation to the last.

import type { Entry } from '@belay/core/ledger'
import { sql } from 'kysely'
import { restoreBody } from '../ledger/restore-body.ts'
import type { Store } from '../store/store.ts'
import { ENTRY_COLUMNS, readEntry } from '../store/table/ledger.ts'
import { applyEntry, type Board, createBoard, type OperationEntry } from './board.ts'

const PAGE = 1000

export async function loadBoard(store: Store): Promise<Board> {
  const board = createBoard()
  for await (const entry of readOperations(store)) applyEntry(board, await readOperation(store, entry))
  for (const { commitment, n } of await countCaptured(store)) {
    const known = board.commitments.get(commitment)
    if (known !== undefined) board.commitments.set(commitment, { ...known, evidence: known.evidence + n })
  }
  return board
}

/** All operations in order. */
export async function* readOperations(store: Store): AsyncGenerator<Entry> {
  for (let first = 0; ; ) {
    const rows = await store.db
      .selectFrom('ledger')
      .select(ENTRY_COLUMNS)
      .where('operation', 'is not', null)
      // Evidence of a call is no operation, whatever kind its hook gives it.
      .where(sql<boolean>`body ->> '$.capturedBy' IS NULL`)
      .where('seq', '>', first)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    for (const row of rows) yield readEntry(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    first = last.seq
  }
}

/** With its large values in their places. What was imported keeps the time of its own ledger. */
export async function readOperation(store: Store, entry: Entry): Promise<OperationEntry> {
  const { kind, actor, time } = entry
  const read = await restoreBody(store, entry)
  const imported = read.imported
  const at = typeof imported === 'object' && imported !== null && 'ts' in imported ? imported.ts : null
  return { kind, actor, time: typeof at === 'string' ? at : time, body: read }
}

async function countCaptured(store: Store): Promise<readonly { readonly commitment: string; readonly n: number }[]> {
  const rows = await store.db
    .selectFrom('ledger')
    .select(({ fn }) => ['commitment', fn.countAll<number>().as('n')])
    .where(sql<boolean>`body ->> '$.capturedBy' IS NOT NULL`)
    .where('commitment', 'is not', null)
    .groupBy('commitment')
    .execute()
  return rows.map(({ commitment, n }) => ({ commitment: commitment ?? '', n: Number(n) }))
}
