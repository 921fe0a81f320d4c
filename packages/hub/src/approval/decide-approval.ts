// A person decides: once, whoever else tries in the same moment; never about what their own machine asked.
import type { NoteSigner } from '@belay/core/ledger'
import { matchesActor } from '@belay/core/policy'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { raisePulse } from '../database/pulse.ts'

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

export async function decideApproval(db: Database, signer: NoteSigner, decision: PersonsDecision): Promise<Decided> {
  const { person, machine, id } = decision
  return db.transaction().execute(async tx => {
    const row = await tx.selectFrom('approval').selectAll().where('machine', '=', machine).where('id', '=', id).executeTakeFirst()
    if (!row) return { ok: false, status: 404, why: `machine ${machine} has no request ${id}` }
    const by = `human:${person}`
    const refused = row.requester === by ? 'your own machine asks this: somebody else decides' : findStranger(row.approvers, by)
    if (refused !== undefined) {
      await recordAct(tx, signer, { actor: `person:${person}`, kind: 'approval_refused', body: { machine, id, why: refused } })
      return { ok: false, status: 403, why: refused }
    }
    const set = { state: decision.decision, decided_at: new Date(), decided_by: person, note: decision.note, via: 'hub' }
    const changed = await tx
      .updateTable('approval')
      .set(set)
      .where('machine', '=', machine)
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('expires_at', '>', new Date())
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) return { ok: false, status: 409, why: await sayWhy(tx, machine, id) }
    const body = { machine, id, decision: decision.decision, note: decision.note }
    await recordAct(tx, signer, { actor: `person:${person}`, kind: 'approval_decided', body })
    await raisePulse(tx, machine)
    return { ok: true }
  })
}

function findStranger(approvers: readonly string[], by: string): string | undefined {
  return approvers.length === 0 || approvers.some(approver => matchesActor(approver, by))
    ? undefined
    : `only ${approvers.join(' or ')} decides this, and you are ${by}`
}

async function sayWhy(tx: Database, machine: string, id: string): Promise<string> {
  const row = await tx
    .selectFrom('approval')
    .select(['state', 'decided_by'])
    .where('machine', '=', machine)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined || row.state === 'pending' ? `${id} is over` : `${id} was ${row.state} already by ${row.decided_by ?? 'time'}`
}
