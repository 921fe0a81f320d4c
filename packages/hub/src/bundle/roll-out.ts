// How a roll-out goes, over all machines: what they count is added up, and where the publisher's rule says so it is stopped, once.
import type { NoteSigner } from '@belay/core/ledger'
import { isHalted, mayHalt, parseBundle } from '@belay/core/team'
import { sql } from 'kysely'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { raisePulse } from '../database/pulse.ts'

export interface Count {
  readonly version: number
  readonly calls: number
  readonly newDenies: number
}

/** More than any machine ever counts: the sum of all of them is a number, whatever one says. */
const MAX_COUNT = sql.lit(1e12)

export async function addCounts(db: Database, signer: NoteSigner, machine: string, counts: readonly Count[]): Promise<void> {
  for (const { version, calls, newDenies } of counts) {
    const found = await db.selectFrom('bundle').select(['text', 'halted_at']).where('version', '=', version).executeTakeFirst()
    if (!found) continue
    await sql`
      INSERT INTO roll_out (version, machine, calls, new_denies) VALUES (${version}, ${machine}, ${calls}, ${newDenies})
      ON CONFLICT (version, machine) DO UPDATE
      SET calls = least(roll_out.calls + excluded.calls, ${MAX_COUNT}), new_denies = least(roll_out.new_denies + excluded.new_denies, ${MAX_COUNT})`.execute(
      db,
    )
    if (found.halted_at === null) await haltWhereDue(db, signer, version, found.text)
  }
}

async function haltWhereDue(db: Database, signer: NoteSigner, version: number, text: string): Promise<void> {
  const bundle = parseBundle(text)
  if (typeof bundle === 'string' || !bundle.manifest.halt || !mayHalt(bundle.manifest)) return
  const { calls, newDenies } = await sumCounts(db, version)
  if (!isHalted(bundle.manifest.halt, { calls, newDenies })) return
  const why = `${newDenies} of ${calls} calls were denied by it and not before`
  await db.transaction().execute(async tx => {
    const set = { halted_at: new Date(), halted_why: why }
    const halted = await tx.updateTable('bundle').set(set).where('version', '=', version).where('halted_at', 'is', null).executeTakeFirst()
    if (halted.numUpdatedRows !== 1n) return
    await recordAct(tx, signer, { actor: 'hub', kind: 'roll_out_halted', body: { version, calls, newDenies } })
    await raisePulse(tx, '')
  })
}

async function sumCounts(db: Database, version: number): Promise<{ calls: number; newDenies: number }> {
  const { rows } = await sql<{ calls: number; denies: number }>`
    SELECT coalesce(sum(calls), 0)::bigint AS calls, coalesce(sum(new_denies), 0)::bigint AS denies
    FROM roll_out WHERE version = ${version}`.execute(db)
  return { calls: rows[0]?.calls ?? 0, newDenies: rows[0]?.denies ?? 0 }
}
