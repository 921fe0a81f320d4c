// The machines of a team, and what is to be said about each without looking at its entries.
import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'
import { createBundleCheck } from './check-bundle.ts'
import type { Problem } from './check-chain.ts'

export interface MachineRow {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: 'active' | 'silent' | 'never_seen' | 'left' | 'revoked'
  readonly lastSeen: Date | null
  /** Entries that the hub holds. */
  readonly entries: number
  readonly cosigned: number
  /** Entries that the machine had, when it was heard of last, and the hub has not. */
  readonly lag: number
  readonly status: Readonly<Record<string, unknown>>
  /** Which bundle is in force there, and since when, as it says. */
  readonly policy: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

export async function listMachines(db: Database, silentAfterMs: number): Promise<readonly MachineRow[]> {
  const machines = await db.selectFrom('machine').selectAll().orderBy('name').orderBy('id').execute()
  const chains = await db
    .selectFrom('chain')
    .select(['id', 'machine', 'seq', 'checkpoint_size'])
    .where('machine', 'is not', null)
    .orderBy('id')
    .execute()
  const findings = await db
    .selectFrom('finding')
    .innerJoin('chain', 'chain.id', 'finding.chain')
    .select(['chain.machine', 'finding.kind', 'finding.what'])
    .orderBy('finding.id')
    .execute()
  const now = await readNow(db)
  const findBundleProblems = await createBundleCheck(db)
  return machines.map(machine => {
    const { id, name, labels, status, policy, last_seen, joined_at, left_at, revoked_at } = machine
    const chain = chains.findLast(each => each.machine === id)
    const isOver = left_at !== null || revoked_at !== null
    const silentMs = now - (last_seen ?? joined_at).getTime()
    const isSilent = !isOver && silentMs > silentAfterMs
    const silent = { kind: 'silent', what: `not heard of for ${Math.round(silentMs / 60_000)} minutes` }
    const found = [
      ...findings.filter(each => each.machine === id).map(({ kind, what }) => ({ kind, what })),
      ...(isOver ? [] : findBundleProblems(machine)),
    ]
    const head = Number((status as { head?: { seq?: number } }).head?.seq ?? 0)
    return {
      id,
      name,
      labels,
      state: revoked_at ? 'revoked' : left_at ? 'left' : isSilent ? 'silent' : last_seen ? 'active' : 'never_seen',
      lastSeen: last_seen,
      entries: chain?.seq ?? 0,
      cosigned: chain?.checkpoint_size ?? 0,
      lag: Math.max(0, head - (chain?.seq ?? 0)),
      status,
      policy,
      problems: isSilent ? [...found, silent] : found,
    }
  })
}

/** The database's clock, which is the one that `last_seen` is compared with by every process. */
async function readNow(db: Database): Promise<number> {
  const { rows } = await sql<{ now: Date }>`SELECT now() AS now`.execute(db)
  return rows[0]?.now.getTime() ?? Date.now()
}
