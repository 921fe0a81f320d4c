// Who runs this command. Under an agent it is that agent: the environment that its process was started with holds the secret of its role, and
// nothing it typed, nor the settings of a repository, can change that.
import { HOST_AGENTS } from '../agent/agents.ts'
import { findAgent, listAncestors } from '../approval/process-ancestry.ts'
import { readEnvironment } from '../approval/process-facts.ts'
import type { CommandIo } from '../terminal/io.ts'
import { SECRET_VARIABLE } from '../wire/hook-variables.ts'

export interface CommandCaller {
  /** BELAY_ACTOR: a name that can only lower rights. */
  readonly actor: string | null
  /** What proves its role. */
  readonly secret: string | null
  readonly agentId: string | null
  /** `claude-code`, `codex` ...; null: no agent started this. */
  readonly agent: string | null
}

export function findCaller(io: Pick<CommandIo, 'env'>): CommandCaller {
  const found = findAgent(listAncestors(process.pid))
  const env = found === null ? io.env : (readEnvironment(found.process.pid) ?? io.env)
  const said = { actor: given(env.BELAY_ACTOR), secret: given(env[SECRET_VARIABLE]) }
  if (found === null) return { ...said, agentId: given(env.AGENT_ID), agent: null }
  const session = given(io.env[HOST_AGENTS[found.agent].sessionVariable ?? ''])
  return { ...said, agentId: given(env.AGENT_ID) ?? (session === null ? null : `${found.agent}:${session}`), agent: found.agent }
}

function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}
