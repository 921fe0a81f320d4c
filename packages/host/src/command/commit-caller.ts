// Who runs this command. Under an agent it is that agent: its own environment says in which role, and nothing it typed can change that.
import { findAgent, listAncestors, readEnvironment } from '../approval/process-ancestry.ts'
import type { CommandIo } from './io.ts'

export interface CommandCaller {
  readonly actor: string | null
  readonly agentId: string | null
  /** `claude-code`, `codex` ...; null: no agent started this. */
  readonly agent: string | null
}

/** Where agents tell their tools the session they run in. */
const SESSION_VARIABLES: Readonly<Record<string, string>> = {
  'claude-code': 'CLAUDE_CODE_SESSION_ID',
  gemini: 'GEMINI_SESSION_ID',
}

export function findCaller(io: Pick<CommandIo, 'env'>): CommandCaller {
  const found = findAgent(listAncestors(process.pid))
  const env = found === null ? io.env : (readEnvironment(found.process.pid) ?? io.env)
  const actor = given(env.BELAY_ACTOR)
  if (found === null) return { actor, agentId: given(env.AGENT_ID), agent: null }
  const session = given(io.env[SESSION_VARIABLES[found.agent] ?? ''])
  return {
    actor: actor?.startsWith('human:') === true ? null : actor,
    agentId: given(env.AGENT_ID) ?? (session === null ? null : `${found.agent}:${session}`),
    agent: found.agent,
  }
}

function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}
