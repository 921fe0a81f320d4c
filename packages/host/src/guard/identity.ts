// Who a call is made by, under which policy. A call is always an agent's. What a person gave replaces the agent's own name: a role that its
// secret proves, or config.toml. A name that merely stands somewhere can only lower rights: a repository can set an agent's environment.
import { agentName, isAgentName } from '../config/agent-name.ts'

/** What is known of the caller. */
export interface Claims {
  /** `claude-code`, `codex` ... */
  readonly agentKind: string
  /** Of config.toml, for agents of this kind. */
  readonly configured: string | null
  /** The role that the secret of the call proves. */
  readonly role: string | null
  /** BELAY_ACTOR, a header, a field, the role of an agent id whose secret is missing. */
  readonly names: readonly string[]
  /** Set inside a sub-agent; the model chose it. */
  readonly subagentType: string | null
}

/** What a policy says about roles. */
export interface RolePolicy {
  /** A block of it is about this actor, and not about every agent. */
  namesActor(actor: string): boolean
  /** A rule that names this type of sub-agent lets the actor launch it. */
  launches(type: string, actor: string): boolean
}

/** Where no sub-agent is concerned. */
export const NO_SUBAGENT: RolePolicy = { namesActor: () => false, launches: () => false }

export interface Identity {
  readonly actor: string
  /** The call is judged under each of these too, and the strictest verdict holds. */
  readonly alsoAs: readonly string[]
  /** Names that are no agent's: they count for nothing. */
  readonly refused: readonly string[]
}

const NOBODY: readonly string[] = []

export function resolveIdentity(claims: Claims, policy: RolePolicy): Identity {
  const { agentKind, configured, role, names, subagentType } = claims
  const given = role ?? configured
  const own = (given === null ? null : agentName(given)) ?? `agent:${agentKind}`
  const type = subagentType === null || subagentType === '' ? null : `agent:${subagentType}`
  if (names.length === 0 && type === null) return { actor: own, alsoAs: NOBODY, refused: NOBODY }
  const isLaunched = type !== null && type !== own && policy.launches(subagentType ?? '', own)
  const actor = isLaunched ? type : own
  const lowering = type === null || isLaunched || !policy.namesActor(type) ? names : [...names, type]
  const known = lowering.filter(isAgentName)
  return { actor, alsoAs: [...new Set(known)].filter(name => name !== actor), refused: lowering.filter(name => !isAgentName(name)) }
}

/** The directory whose project a session belongs to: what the agent says, else where it is. */
export function startDirectory(env: Readonly<Record<string, string>>, variables: readonly string[], cwd: string): string {
  for (const name of variables) {
    const value = env[name]
    if (value !== undefined && value !== '') return value
  }
  return cwd
}
