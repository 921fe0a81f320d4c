// A person decides: once, whoever else tries in the same moment; never about what their own machine asked.

// Nothing else of the judge is loaded: a hub judges no call.
import { matchesActor } from '@belay/core/actor'
import type { NoteSigner } from '@belay/core/ledger'
import { type Selectable, sql } from 'kysely'
import { type Act, lockActs, recordActs } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { pulseOf } from '../database/pulse.ts'
import type { ApprovalTable } from '../database/tables.ts'

export interface ApprovalRow {
  readonly machine: string
  readonly machineName: string
  readonly id: string
  readonly state: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly requester: string
  readonly approvers: readonly string[]
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
  readonly note: string | null
  readonly via: string | null
  readonly outcome: string | null
}

const LISTED = 200

export async function listApprovals(db: Database, state: string | null): Promise<readonly ApprovalRow[]> {
  let select = db
    .selectFrom('approval')
    .innerJoin('machine', 'machine.id', 'approval.machine')
    .selectAll('approval')
    .select('machine.name as machine_name')
    .orderBy('asked_at', 'desc')
    .limit(LISTED)
  if (state === 'pending') select = select.where('state', '=', 'pending').where('expires_at', '>', new Date())
  else if (state !== null) select = select.where('state', '=', state as 'allowed')
  return (await select.execute()).map(row => ({
    machine: row.machine,
    machineName: row.machine_name,
    id: row.id,
    state: row.state === 'pending' && row.expires_at < new Date() ? 'expired' : row.state,
    facts: row.facts,
    requester: row.requester,
    approvers: row.approvers,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    note: row.note,
    via: row.via,
    outcome: row.outcome,
  }))
}

export interface PersonsDecision {
  readonly person: string
  readonly machine: string
  readonly id: string
  readonly decision: 'allowed' | 'denied'
  readonly note: string | null
}

export type Decided = { readonly ok: true } | { readonly ok: false; readonly status: 403 | 404 | 409; readonly why: string }

type Row = Selectable<ApprovalTable>

/** Each in the order given, all in one transaction: many that come at once cost about what one costs. */
export async function decideApprovals(
  db: Database,
  signer: NoteSigner,
  decisions: readonly PersonsDecision[],
): Promise<readonly Decided[]> {
  return db.transaction().execute(async tx => {
    // First, so that no other process holds some of these rows and waits for the others.
    const record = await lockActs(tx, signer.name)
    const rows = await lockRows(tx, decisions)
    const [decided, acts, changed]: [Decided[], Act[], PersonsDecision[]] = [[], [], []]
    for (const decision of decisions) {
      const { person, machine, id, note } = decision
      const result = judge(rows.get(nameRow(machine, id)), decision)
      decided.push(result)
      if (!result.ok) continue
      changed.push(decision)
      rows.set(nameRow(machine, id), { ...result.row, state: decision.decision, decided_by: person })
      const body = { machine, id, decision: decision.decision, note }
      acts.push({ actor: `person:${person}`, kind: 'approval_decided', body })
    }
    await keepDecisions(tx, changed)
    await recordActs(tx, signer, record, acts)
    return decided
  })
}

const nameRow = (machine: string, id: string): string => `${machine} ${id}`

async function lockRows(tx: Database, decisions: readonly PersonsDecision[]): Promise<Map<string, Row>> {
  const found = await tx
    .selectFrom('approval')
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('machine', 'id'),
        'in',
        decisions.map(({ machine, id }) => tuple(machine, id)),
      ),
    )
    .forUpdate()
    .execute()
  return new Map(found.map(row => [nameRow(row.machine, row.id), row]))
}

function judge(row: Row | undefined, { person, machine, id }: PersonsDecision): Exclude<Decided, { ok: true }> | { ok: true; row: Row } {
  if (!row) return { ok: false, status: 404, why: `machine ${machine} has no request ${id}` }
  const by = `human:${person}`
  const refused = row.requester === by ? 'your own machine asks this: somebody else decides' : findStranger(row.approvers, by)
  if (refused !== undefined) return { ok: false, status: 403, why: refused }
  if (row.state !== 'pending') return { ok: false, status: 409, why: `${id} was ${row.state} already by ${row.decided_by ?? 'time'}` }
  return row.expires_at > new Date() ? { ok: true, row } : { ok: false, status: 409, why: `${id} is over` }
}

async function keepDecisions(tx: Database, decisions: readonly PersonsDecision[]): Promise<void> {
  if (decisions.length === 0) return
  const column = <K extends keyof PersonsDecision>(key: K): PersonsDecision[K][] => decisions.map(each => each[key])
  await sql`
    WITH decided AS (UPDATE approval SET state = d.state, decided_at = ${new Date()}, decided_by = d.person, note = d.note, via = 'hub'
    FROM unnest(${column('machine')}::text[], ${column('id')}::text[], ${column('decision')}::text[], ${column('person')}::text[], ${column('note')}::text[])
      AS d (machine, id, state, person, note)
    WHERE approval.machine = d.machine AND approval.id = d.id)
    ${pulseOf(column('machine'))}`.execute(tx)
}

function findStranger(approvers: readonly string[], by: string): string | undefined {
  return approvers.length === 0 || approvers.some(approver => matchesActor(approver, by))
    ? undefined
    : `only ${approvers.join(' or ')} decides this, and you are ${by}`
}
