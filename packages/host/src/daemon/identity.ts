// Who a call is made by, under which policy. Never taken from anything the model wrote.
import { type GenesisPolicy, matchesActor } from '@belay/core/policy'

export interface Caller {
  /** BELAY_ACTOR of the hook process. */
  readonly actor: string | null
  /** The role bound to the agent id, if any. */
  readonly boundRole: string | null
  /** Set inside a sub-agent. */
  readonly subagentType: string | null
  /** Of config.toml, for agents of this kind. */
  readonly configured?: string | null
  /** `claude-code`, `codex` ... */
  readonly agentKind: string
}

export function resolveActor(caller: Caller, policies: readonly GenesisPolicy[]): string {
  if (caller.actor !== null) return caller.actor
  if (caller.boundRole !== null) return nameActor(caller.boundRole)
  const subagent = caller.subagentType === null || caller.subagentType === '' ? null : `agent:${caller.subagentType}`
  if (subagent !== null && namesActor(policies, subagent)) return subagent
  return nameActor(caller.configured ?? caller.agentKind)
}

function nameActor(role: string): string {
  return role.includes(':') ? role : `agent:${role}`
}

/** A glob that would match every agent does not name this one. */
function namesActor(policies: readonly GenesisPolicy[], actor: string): boolean {
  return policies.some(
    policy =>
      policy.permissions?.actors.some(block => block.actor !== '*' && block.actor !== 'agent:*' && matchesActor(block.actor, actor)) ??
      false,
  )
}

/** The directory whose project a session belongs to: what the agent says, else where it is. */
export function startDirectory(env: Readonly<Record<string, string>>, variables: readonly string[], cwd: string): string {
  for (const name of variables) {
    const value = env[name]
    if (value !== undefined && value !== '') return value
  }
  return cwd
}
