// Every agent as this machine knows it. Core's list names them; the compiler demands one here for each.
import { type AgentId, factsOf } from '@belay/core/adapter'
import type { HostAgent } from './host-agent.ts'
import * as list from './list.ts'
import type { Target } from './target.ts'

export const HOST_AGENTS: Readonly<Record<AgentId, HostAgent>> = { ...list }

export function findTarget(agent: string): Target | null {
  return Object.hasOwn(HOST_AGENTS, agent) ? HOST_AGENTS[agent as AgentId].target : null
}

export function listTargets(): readonly Target[] {
  return Object.values(HOST_AGENTS).flatMap(({ target }) => target ?? [])
}

/** The command that starts the agent; null: it has none. */
export function programOf(agent: AgentId): string | null {
  return factsOf(agent).program
}
