// `belay run --actor`: a role for as long as the agent runs. Unlike the rest of `belay run` it needs the daemon, which keeps the secret's hash.
import { findHome } from '../config/home.ts'
import { createSecret, hashSecret } from '../state/agent-binding.ts'
import type { CommandIo } from '../terminal/io.ts'
import { quickCall } from '../wire/quick-call.ts'
import { runPaths } from '../wire/run-paths.ts'
import { roleVariables } from './agent.ts'
import { runVerb } from './state-call.ts'

export interface GivenRole {
  /** What the agent is started with. */
  readonly variables: Readonly<Record<string, string>>
  /** The secret ends with the agent. */
  release(): Promise<unknown>
}

const RELEASE_MS = 2000

/** A number is the exit code: the role could not be given, and why has been said. */
export async function giveRole({ id, role }: { readonly id: string; readonly role: string }, io: CommandIo): Promise<GivenRole | number> {
  const secret = createSecret()
  let actor = role
  // The agent's own output begins with nothing of ours.
  const quiet = { ...io, stdout: { write: () => undefined } }
  const code = await runVerb<{ readonly actor: string }>(quiet, {
    method: 'agent.bind',
    params: { id, role, secretHash: hashSecret(secret) },
    render: bound => {
      actor = bound.actor
      return ''
    },
  })
  if (code !== 0) return code
  const { socket } = runPaths(findHome(io.env), io.env)
  return {
    variables: roleVariables(id, actor, secret),
    release: () => quickCall({ socket, method: 'agent.release', params: { secret }, timeoutMs: RELEASE_MS }),
  }
}
