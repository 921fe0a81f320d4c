// Who a command below an agent would be judged as, for what is judged here: the daemon knows which role its secret proves.
import { findHome } from '../config/home.ts'
import type { Claims } from '../guard/identity.ts'
import type { CommandIo } from '../terminal/io.ts'
import { quickCall } from '../wire/quick-call.ts'
import { runPaths } from '../wire/run-paths.ts'
import { writtenNames } from '../wire/shim-frame.ts'
import type { CommandCaller } from './commit-caller.ts'

const ASK_MS = 1000

/** Without a daemon no role is proved, and its name can only lower rights. */
export async function claimsOf(io: Pick<CommandIo, 'env'>, caller: CommandCaller, further: string | null = null): Promise<Claims> {
  const { secret, agentId: id, actor, agent } = caller
  const { role, named } = secret === null && id === null ? NOBODY : await ask(io, { secret, id })
  const written = writtenNames(actor, named, further)
  return { agentKind: agent ?? 'mcp', configured: null, role, names: written, subagentType: null }
}

interface Known {
  readonly role: string | null
  readonly named: string | null
}

const NOBODY: Known = { role: null, named: null }

async function ask(io: Pick<CommandIo, 'env'>, params: Readonly<Record<string, string | null>>): Promise<Known> {
  const { socket } = runPaths(findHome(io.env), io.env)
  const answer = await quickCall({ socket, method: 'agent.identify', params, timeoutMs: ASK_MS })
  return typeof answer === 'object' && answer !== null && 'role' in answer && 'named' in answer ? (answer as Known) : NOBODY
}
