// Who makes a call, and the project that its session began in: found once, in one place. Everything is in memory but at the first call of a
// session or an agent; only then is there a promise.
import type { Agent } from '@belay/core/adapter'
import { agentName } from '../config/agent-name.ts'
import { startDirectory } from '../guard/identity.ts'
import type { Binding } from '../state/agent-binding.ts'
import { writtenNames } from '../wire/shim-frame.ts'
import type { Work } from './decide.ts'
import type { HookCall } from './hook-call.ts'
import type { SessionRoots } from './session-roots.ts'

/** Who calls, as far as the policy plays no part in it. */
export interface Caller {
  readonly agentId: string
  readonly role: string | null
  readonly names: readonly string[]
  readonly commitment: string | null
}

export interface Identified {
  /** Of the project whose policy holds. */
  readonly root: string
  readonly caller: Caller
}

export interface IdentifyOptions {
  readonly work: Pick<Work, 'roleOf' | 'bindingOf' | 'commitmentOf'>
  readonly roots: SessionRoots
}

export interface ReadSession {
  readonly agent: Agent
  readonly sessionId: string
  readonly cwd: string
}

export function identify({ work, roots }: IdentifyOptions, call: HookCall, session: ReadSession): Identified | Promise<Identified> {
  const { agent, sessionId, cwd } = session
  const binding = call.secret === null ? null : work.bindingOf(call.secret)
  const agentId = binding?.agentId ?? call.agentId ?? `${agent.id}:${sessionId}`
  const root = roots.fix(agent.id, sessionId, startDirectory(call.env, agent.projectVariables, cwd))
  const role = work.roleOf(agentId)
  const commitment = work.commitmentOf(agentId, call.commitment)
  if (root instanceof Promise || role instanceof Promise || commitment instanceof Promise) {
    return Promise.all([root, role, commitment]).then(([found, bound, claimed]) => ({
      root: found,
      caller: callerOf(call, { agentId, binding, role: bound, commitment: claimed }),
    }))
  }
  return { root, caller: callerOf(call, { agentId, binding, role, commitment }) }
}

export interface KnownCaller {
  readonly agentId: string
  /** What the secret of the call proves; null: it has none, or it is nobody's. */
  readonly binding: Binding | null
  /** What a person gave the id. */
  readonly role: string | null
  /** What the id has claimed. */
  readonly commitment: string | null
}

/** An id that a person gave a role counts only with its secret: without it the role can only lower rights, and nothing is claimed. */
export function callerOf({ names }: Pick<HookCall, 'names'>, { agentId, binding, role, commitment }: KnownCaller): Caller {
  if (binding === null && role !== null) return { agentId, role: null, names: writtenNames(...names, agentName(role)), commitment: null }
  return { agentId, role: binding?.role ?? null, names, commitment }
}
