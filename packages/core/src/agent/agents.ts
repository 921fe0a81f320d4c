// Every agent that list.ts names. What stands elsewhere about agents is read from here.
import type { AgentFacts } from './agent.ts'
import { isSince } from './is-since.ts'
import * as list from './list.ts'

export type AgentId = keyof typeof list

export interface Agent extends AgentFacts {
  readonly id: AgentId
}

const FACTS: Readonly<Record<AgentId, AgentFacts>> = { ...list }
const AGENTS: readonly Agent[] = Object.entries(FACTS).map(([id, facts]) => ({ id: id as AgentId, ...facts }))
const BY_ID: ReadonlyMap<string, Agent> = new Map(AGENTS.map(agent => [agent.id, agent]))

export function findAgent(id: string): Agent | null {
  return BY_ID.get(id) ?? null
}

export function listAgents(): readonly Agent[] {
  return AGENTS
}

export function factsOf(id: AgentId): AgentFacts {
  return FACTS[id]
}

/** The native event names the agent sends and we want to see. `version`: of the agent that is there; null: not known. */
export function agentEvents(
  { events, strictBefore }: Pick<AgentFacts, 'events' | 'strictBefore'>,
  version: readonly number[] | null = null,
): readonly string[] {
  return strictBefore === null || version === null || isSince(version, strictBefore.version) ? Object.keys(events) : strictBefore.events
}
