// Agents by their id (AGENT_ID: a pane, a worker), never by pid. Status priority: error > attention > working > checked > done;
// what an agent does next replaces its status, except that a person's look (checked) never hides work that is going on.
import type { AgentStatus } from '../store/table/work.ts'
import { type Database, readList } from './state.ts'

export interface AgentIdentity {
  readonly id: string
  readonly parent: string | null
  /** Comma lists of AGENT_MANAGES and AGENT_CLAIMS. */
  readonly manages: readonly string[]
  readonly claims: readonly string[]
}

const PRIORITY: Readonly<Record<AgentStatus, number>> = { error: 4, attention: 3, working: 2, checked: 1, done: 0 }

export function compareStatus(a: AgentStatus, b: AgentStatus): number {
  return PRIORITY[b] - PRIORITY[a]
}

/** The fleet variables of a hook process; without AGENT_ID the agent is known by the host session it runs. */
export function readIdentity(env: Readonly<Record<string, string | undefined>>, agentId: string | null, fallback: string): AgentIdentity {
  return {
    id: agentId ?? env.AGENT_ID ?? fallback,
    parent: env.AGENT_PARENT ?? null,
    manages: splitList(env.AGENT_MANAGES),
    claims: splitList(env.AGENT_CLAIMS),
  }
}

function splitList(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
}

export interface StatusChange {
  readonly status: AgentStatus
  readonly reason?: string | null
  readonly now: string
}

/** Makes the agent known and sets its status. */
export async function setStatus(tx: Database, agent: AgentIdentity, { status, reason = null, now }: StatusChange): Promise<void> {
  const row = { status, status_reason: reason, last_event_at: now, parent: agent.parent }
  const lists = {
    ...(agent.manages.length === 0 ? {} : { manages: JSON.stringify(agent.manages) }),
    ...(agent.claims.length === 0 ? {} : { claims: JSON.stringify(agent.claims) }),
  }
  await tx
    .insertInto('agents')
    .values({ id: agent.id, label: null, role: null, effort_id: null, ...row, ...lists })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ ...row, ...lists }))
    .execute()
}

/** A person has looked: what waited for eyes no longer does. */
export async function markChecked(tx: Database, id: string, now: string): Promise<boolean> {
  const result = await tx
    .updateTable('agents')
    .set({ status: 'checked', last_event_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['done', 'error', 'attention'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function bindRole(tx: Database, id: string, role: string, now: string): Promise<void> {
  await tx
    .insertInto('agents')
    .values({ id, label: null, role, parent: null, effort_id: null, status: 'done', status_reason: null, last_event_at: now })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ role }))
    .execute()
}

export async function findRole(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('agents').select('role').where('id', '=', id).executeTakeFirst()
  return row?.role ?? null
}

/** The agents that coordinate this one: they named it in AGENT_MANAGES. */
export async function findCoordinators(db: Database, id: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('agents').select(['id', 'manages']).where('manages', '!=', '[]').execute()
  return rows.filter(row => readList(row.manages).includes(id)).map(row => row.id)
}
