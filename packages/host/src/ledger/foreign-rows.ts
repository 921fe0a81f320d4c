// Rows after the last checkpoint that the writer did not write. They must not be sealed: a checkpoint over them would vouch for them.
import { checkEntry, type Entry, encodeLine, GENESIS_HASH, startChain } from '@belay/core/ledger'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { findLastCheckpoint } from '../store/table/checkpoint.ts'
import { ENTRY_COLUMNS, readEntry } from '../store/table/ledger.ts'
import type { Tables } from '../store/table/tables.ts'
import type { MakeMac } from './row-mac.ts'

export interface ForeignRows {
  /** The first of them; all that follow are chained to it. */
  readonly first: number
  readonly entries: readonly Entry[]
  /** What is wrong with the first. */
  readonly what: string
}

export async function findForeignRows(store: Store, makeMac: MakeMac): Promise<ForeignRows | undefined> {
  const sealed = (await findLastCheckpoint(store))?.size ?? 0
  const rows = await store.db
    .selectFrom('ledger')
    .select([...ENTRY_COLUMNS, 'mac'])
    .where('seq', '>', sealed)
    .orderBy('seq')
    .execute()
  if (rows.length === 0) return undefined
  const before = await store.db.selectFrom('ledger').select('hash').where('seq', '=', sealed).executeTakeFirst()
  let chain = startChain(before?.hash ?? GENESIS_HASH)
  for (const [at, row] of rows.entries()) {
    const step = checkEntry(chain, readEntry(row), sealed + at + 1)
    const isOurs = row.mac !== null && makeMac(row.hash).equals(row.mac)
    if (step.kind === 'ok' && isOurs) chain = step.state
    else {
      const what = step.kind === 'bad' ? step.fault.what : 'the writer of this ledger did not write it'
      return { first: sealed + at + 1, entries: rows.slice(at).map(readEntry), what }
    }
  }
  return undefined
}

/** Takes them out of the ledger, with what belongs to them, and keeps them beside it. */
export async function refuseRows(store: Store, { first, entries }: ForeignRows, nowMs: number): Promise<void> {
  const noticedAt = new Date(nowMs).toISOString()
  await store.transact(async tx => {
    for (const entry of entries) {
      const row = { seq: entry.seq, hash: entry.hash, noticed_at: noticedAt, entry: encodeLine(entry) }
      await tx.insertInto('refused').values(row).execute()
    }
    await withoutTriggers(tx, ['ledger_keeps', 'blobs_keep', 'tiles_keep'], async () => {
      await tx.deleteFrom('deliveries').where('seq', '>=', first).execute()
      await tx.deleteFrom('blobs').where('seq', '>=', first).execute()
      // A tile of level n covers 256^(n + 1) rows.
      await sql`DELETE FROM tiles WHERE (idx + 1) * (1 << (8 * (level + 1))) >= ${first}`.execute(tx)
      await tx.deleteFrom('ledger').where('seq', '>=', first).execute()
    })
  })
}

/** They refuse what must be done here; in the same transaction they are back. */
async function withoutTriggers(tx: Kysely<Tables>, names: readonly string[], work: () => Promise<void>): Promise<void> {
  const run = (text: string) => tx.executeQuery(CompiledQuery.raw(text))
  const { rows } = await sql<{
    sql: string
  }>`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name IN (${sql.join(names)})`.execute(tx)
  for (const name of names) await run(`DROP TRIGGER ${name}`)
  await work()
  for (const row of rows) await run(row.sql)
}
