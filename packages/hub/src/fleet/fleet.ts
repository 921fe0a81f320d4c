// Agents and efforts of all machines, as each machine says, and which machine an effort belongs to. Who takes an effort up first has it: the
// database decides.
import type { NoteSigner } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { sql } from 'kysely'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { raisePulse } from '../database/pulse.ts'

export interface FleetMachine {
  readonly machine: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** When it was said. */
  readonly at: Date
  readonly lastSeen: Date | null
  readonly agents: readonly Readonly<Record<string, unknown>>[]
  /** Without what was handed over, which only who takes an effort gets. */
  readonly efforts: readonly Readonly<Record<string, unknown>>[]
}

const MAX_ROWS = 500

export async function keepWork(db: Database, machine: string, work: Readonly<Record<string, unknown>>): Promise<void> {
  const list = (value: unknown) => JSON.stringify((Array.isArray(value) ? value : []).filter(isObject).slice(0, MAX_ROWS))
  const [agents, efforts] = [list(work.agents), list(work.efforts)]
  await sql`
    INSERT INTO fleet (machine, agents, efforts) VALUES (${machine}, ${agents}::jsonb, ${efforts}::jsonb)
    ON CONFLICT (machine) DO UPDATE SET agents = excluded.agents, efforts = excluded.efforts, at = now()`.execute(db)
}

export async function listFleet(db: Database): Promise<readonly FleetMachine[]> {
  const rows = await db
    .selectFrom('fleet')
    .innerJoin('machine', 'machine.id', 'fleet.machine')
    .select(['fleet.machine', 'machine.name', 'machine.labels', 'fleet.at', 'machine.last_seen', 'fleet.agents', 'fleet.efforts'])
    .where('machine.left_at', 'is', null)
    .where('machine.revoked_at', 'is', null)
    .orderBy('machine.name')
    .execute()
  const owners = await db.selectFrom('effort_owner').selectAll().execute()
  return rows.map(({ last_seen, efforts, ...row }) => ({
    ...row,
    lastSeen: last_seen,
    efforts: efforts.map(({ handOver, ...effort }) => ({
      ...effort,
      effort: `${row.machine}/${effort.id}`,
      isOffered: handOver != null,
      takenBy: owners.find(owner => owner.machine === row.machine && owner.id === effort.id)?.owner ?? null,
    })),
  }))
}

export type Taken =
  | { readonly ok: true; readonly effort: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: 404 | 409; readonly why: string }

export interface Taking {
  /** The machine that takes it, and for which agent. */
  readonly by: string
  readonly agent: string | null
  readonly machine: string
  readonly id: number
  /** Also where nothing was handed over: the one who has it may still be at work. */
  readonly isForced: boolean
}

export async function takeEffort(db: Database, signer: NoteSigner, { by, agent, machine, id, isForced }: Taking): Promise<Taken> {
  return db.transaction().execute(async tx => {
    const known = await findOwner(tx, machine, id)
    // Whoever took it may have been cut off before it began.
    if (known?.owner === by) return { ok: true, effort: known.effort }
    if (known) return { ok: false, status: 409, why: `machine ${known.owner} has taken it already` }
    const row = await tx.selectFrom('fleet').select('efforts').where('machine', '=', machine).executeTakeFirst()
    const effort = row?.efforts.find(each => each.id === id)
    if (!effort) return { ok: false, status: 404, why: `there is no effort ${machine}/${id} at work` }
    if (machine === by) return { ok: false, status: 409, why: 'this effort is of this machine already' }
    if (effort.handOver == null && !isForced)
      return { ok: false, status: 409, why: 'its agent is at work and has handed nothing over; take it all the same with --force' }
    const added = await tx
      .insertInto('effort_owner')
      .values({ machine, id, owner: by, agent, effort: JSON.stringify(effort) })
      .onConflict(conflict => conflict.columns(['machine', 'id']).doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) return { ok: false, status: 409, why: 'another machine has taken it already' }
    await recordAct(tx, signer, { actor: `machine:${by}`, kind: 'effort_taken', body: { machine, id, agent, isForced } })
    await raisePulse(tx, machine)
    return { ok: true, effort }
  })
}

async function findOwner(tx: Database, machine: string, id: number) {
  return tx.selectFrom('effort_owner').select(['owner', 'effort']).where('machine', '=', machine).where('id', '=', id).executeTakeFirst()
}

/** Efforts of this machine that another one has, and that it does not know of. */
export async function findTaken(
  db: Database,
  machine: string,
  known: readonly number[],
): Promise<readonly { readonly id: number; readonly owner: string; readonly name: string }[]> {
  const rows = await db
    .selectFrom('effort_owner')
    .innerJoin('machine', 'machine.id', 'effort_owner.owner')
    .select(['effort_owner.id', 'effort_owner.owner', 'machine.name'])
    .where('effort_owner.machine', '=', machine)
    .execute()
  return rows.filter(({ id }) => !known.includes(id))
}
