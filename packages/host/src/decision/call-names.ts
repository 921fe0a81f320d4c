// The names that a call comes with: cleaned of secrets, with what the line adds that it came by, and of the sub-agent that makes it.
import type { HookEvent } from '@belay/core'
import type { DecodedEvent } from '@belay/core/adapter'
import { agentName } from '../config/agent-name.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { writtenNames } from '../wire/shim-frame.ts'
import type { DecideOptions } from './decide.ts'
import type { HookCall } from './hook-call.ts'
import type { Caller } from './identify.ts'

export function cleanCall<C extends HookCall>(given: C, cleanName: DecideOptions['cleanName']): C {
  const event = cleanName(given.event)
  const call = event === given.event ? given : { ...given, event }
  if (call.agentId === null && call.names.length === 0 && call.commitment === null) return call
  const clean = (name: string | null): string | null => (name === null ? null : cleanName(name))
  return { ...call, agentId: clean(call.agentId), names: call.names.map(cleanName), commitment: clean(call.commitment) }
}

/** A host on another agent's line has no more rights than that agent: what tells the two apart could be set by a project. */
export function withLine(
  { names, role }: Pick<Caller, 'names' | 'role'>,
  { line }: DecodedEvent,
  guard: Pick<ProjectGuard, 'actorOf'>,
): readonly string[] {
  if (line === undefined || role !== null) return names
  return writtenNames(...names, agentName(guard.actorOf(line.id) ?? `agent:${line.id}`))
}

export function subagentType({ fields }: Pick<HookEvent, 'fields'>): string | null {
  return typeof fields.agentType === 'string' && fields.agentId !== undefined ? fields.agentType : null
}
