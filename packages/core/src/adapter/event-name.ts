// What an agent's own name for an event means to us. An event may be given by either name.
import { type AgentId, factsOf } from '../agent/agents.ts'
import { canonicalEventName } from '../event/table.ts'

/** The canonical name of an event given by the agent's own name or already canonical; an unknown name is carried through. */
export function canonicalEvent(agent: AgentId, name: string): string {
  const names = factsOf(agent).events
  return Object.hasOwn(names, name) ? (names[name] ?? name) : canonicalEventName(name)
}
