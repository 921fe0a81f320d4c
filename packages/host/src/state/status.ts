// The status of an agent as events change it, and who is told.
import type { AgentStatus } from '../store/table/work.ts'
import type { WorkParts } from './work-parts.ts'
import type { AgentRow, Injection } from './work-row.ts'

/** The reason is what an agent wrote, so it is redacted before it is kept. */
export function changeStatus(parts: WorkParts, agent: AgentRow, status: AgentStatus, why: string | null = null): void {
  if (setStatus(parts, agent, status, why)) announceStatus(parts, agent)
}

/** Whether that is another one; nobody is told yet. */
export function setStatus(parts: WorkParts, agent: AgentRow, status: AgentStatus, why: string | null = null): boolean {
  const reason = why === null ? null : parts.redact(why)
  agent.lastEventAt = parts.now()
  parts.rows.changed(agent)
  if (agent.status === status && agent.statusReason === reason) return false
  agent.status = status
  agent.statusReason = reason
  return true
}

export function announceStatus({ publish }: WorkParts, { id, status, statusReason }: AgentRow): void {
  publish('agent.status', { agent: id, status, reason: statusReason })
}

const WAITS_FOR_EYES: ReadonlySet<AgentStatus> = new Set(['done', 'error', 'attention'])

/** A person has looked: what waited for that no longer does, work that goes on stays visible. The agent itself was not heard of. */
export function markChecked(parts: WorkParts, agent: AgentRow): void {
  if (!WAITS_FOR_EYES.has(agent.status)) return
  agent.status = 'checked'
  parts.rows.changed(agent)
  announceStatus(parts, agent)
}

/** Tells the agents that coordinate this one; each reads it at its next tool call. */
export async function signalCoordinators(parts: WorkParts, about: AgentRow, message: string): Promise<readonly string[]> {
  const text = parts.redact(message)
  const coordinators = parts.rows.coordinatorsOf(about.id)
  const parent = about.parent === null || coordinators.some(each => each.id === about.parent) ? null : await parts.rows.agent(about.parent)
  const told = parent === null ? coordinators : [...coordinators, parent]
  for (const coordinator of told) {
    queueFor(parts, coordinator, { kind: 'signal', text, path: null })
    parts.publish('agent.signal', { to: coordinator.id, from: about.id, text })
  }
  return told.map(each => each.id)
}

function queueFor(parts: WorkParts, agent: AgentRow, injection: Injection): void {
  const session = parts.rows.sessionsOf(agent.id).find(each => each.subagent === null)
  const effort = parts.rows.effort(agent.effortId)
  if (session !== undefined) {
    session.injections = [...session.injections, injection]
    parts.rows.changed(session)
  } else if (effort !== null) {
    const { injections } = effort.metadata
    effort.metadata = { ...effort.metadata, injections: [...(Array.isArray(injections) ? injections : []), injection] }
    parts.rows.changed(effort)
  }
}
