// Who a verb is called for: the agent the caller names (AGENT_ID), else whoever works in its project.
import { findProject } from '../config/project.ts'
import { type Params, readText } from '../rpc/param.ts'
import { RPC_REFUSED, RpcError } from '../rpc/rpc.ts'
import type { WorkParts } from '../state/work-parts.ts'
import type { AgentRow, EffortRow } from '../state/work-row.ts'

export interface Caller {
  readonly root: string
  readonly cwd: string
  readonly agent: AgentRow | null
  readonly effort: EffortRow | null
}

export async function findCaller(parts: WorkParts, params: Params): Promise<Caller> {
  const agentId = readText(params, 'agentId')
  const cwd = readText(params, 'cwd') ?? parts.userHome
  const { root } = findProject(cwd, parts.belayHome)
  const agent = agentId === null ? null : await parts.rows.agent(parts.cleanName(agentId))
  return { root, cwd, agent, effort: agent === null ? parts.rows.latestEffort(root) : parts.rows.effort(agent.effortId) }
}

export function needEffort({ agent, effort, root }: Caller): EffortRow {
  if (effort !== null) return effort
  throw new RpcError(RPC_REFUSED, `${agent?.id ?? root} has no active effort; start one with: belay effort start SKILL`)
}

export interface CurrentSession {
  readonly id: number
  readonly agentId: string
  readonly endedAt: string | null
}

/** The caller's window: the open one, else the last. */
export async function findSession(parts: WorkParts, { agent, effort }: Caller): Promise<CurrentSession> {
  await parts.rows.flush()
  let query = parts.store.db
    .selectFrom('sessions')
    .select(['id', 'agent_id as agentId', 'ended_at as endedAt'])
    .where('subagent', 'is', null)
    .orderBy(({ eb }) => eb('ended_at', 'is', null), 'desc')
    // Whoever calls has just run a command: its window was heard of last.
    .orderBy('last_heartbeat', 'desc')
    .orderBy('id', 'desc')
  if (agent !== null) query = query.where('agent_id', '=', agent.id)
  else if (effort !== null) query = query.where('effort_id', '=', effort.id)
  const found = agent === null && effort === null ? undefined : await query.executeTakeFirst()
  if (found === undefined)
    throw new RpcError(RPC_REFUSED, "no session is known here; the agent's hooks make one when it starts (belay install)")
  return found
}
