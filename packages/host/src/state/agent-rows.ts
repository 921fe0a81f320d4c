// Agents in memory. Those that coordinate others are there from the beginning, all others once somebody asks for them.
import type { Store } from '../store/store.ts'
import { keepRow } from './row-map.ts'
import type { RowMirror } from './row-mirror.ts'
import { type AgentRow, newAgent, readAgent } from './work-row.ts'
import type { WriteBehind } from './write-behind.ts'

export interface AgentRows {
  /** A new agent is made where nobody knows the id. */
  agent(id: string): AgentRow | Promise<AgentRow>
  /** Agents that name this one in AGENT_MANAGES. */
  coordinatorsOf(id: string): readonly AgentRow[]
  /** Label, role or effort were changed in the database: read them again. */
  reloadAgent(id: string): Promise<AgentRow>
}

export interface AgentRowOptions {
  readonly store: Store
  readonly behind: WriteBehind
  readonly mirror: RowMirror
  readonly now: () => number
}

export async function openAgentRows({ store, behind, mirror, now }: AgentRowOptions): Promise<AgentRows> {
  const agents = new Map<string, AgentRow>()
  const coordinators = await store.db.selectFrom('agents').selectAll().where('manages', '!=', '[]').execute()
  for (const row of coordinators) agents.set(row.id, readAgent(row))

  const readRow = (id: string) => store.db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()
  // Two events may have asked at once: the row that came first is everybody's.
  const keep = (row: AgentRow): AgentRow =>
    agents.get(row.id) ?? keepRow(agents, row.id, row, kept => kept.manages.length === 0 && !behind.isWaiting(kept))

  return {
    agent: id => agents.get(id) ?? readRow(id).then(row => keep(row === undefined ? newAgent(id, now()) : readAgent(row))),
    coordinatorsOf: id => [...agents.values()].filter(agent => agent.manages.includes(id)),
    async reloadAgent(id) {
      const row = await readRow(id)
      const known = agents.get(id) ?? keep(row === undefined ? newAgent(id, now()) : readAgent(row))
      if (row === undefined) return known
      Object.assign(known, { label: row.label, role: row.role, effortId: row.effort_id })
      mirror.reloaded(known)
      return known
    },
  }
}
