// belay run: an agent under an id of its own, restarted when its context window is used up. Works without a daemon too.
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { findHome } from '../config/home.ts'
import { RESTART_LIMITS } from '../supervisor/plan-restart.ts'
import { openRunLink } from '../supervisor/run-link.ts'
import { type SignalSource, supervise } from '../supervisor/supervise.ts'
import { type CommandIo, fail, printLine } from '../terminal/io.ts'
import { runPaths } from '../wire/run-paths.ts'
import { giveRole } from './give-role.ts'

export interface RunOptions {
  readonly agentId?: string
  /** The role that a person gives it. */
  readonly actor?: string
  readonly command: readonly string[]
}

const RETRY_MS = 1000
const GRACE_MS = 8000
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

export async function runRun({ agentId, actor, command }: RunOptions, io: CommandIo): Promise<number> {
  const [program] = command
  if (program === undefined) return fail(io, 'no command is given', 'write it behind two dashes: belay run -- claude')
  const home = findHome(io.env)
  const runId = randomBytes(8).toString('hex')
  const id = agentId ?? io.env.AGENT_ID ?? `${basename(program)}-${runId.slice(0, 6)}`
  const role = actor === undefined ? null : await giveRole({ id, role: actor }, io)
  if (typeof role === 'number') return role
  const link = openRunLink({ socket: runPaths(home, io.env).socket, runId, agentId: id, retryMs: RETRY_MS })
  try {
    return await supervise({
      command,
      cwd: io.cwd,
      env: role === null ? io.env : { ...io.env, ...role.variables },
      runId,
      agentId: id,
      recoveryFile: join(home, 'run', 'recovery', `${runId}.md`),
      link,
      signals: listenForSignals,
      hasTerminal: process.stdin.isTTY === true,
      limits: RESTART_LIMITS,
      graceMs: GRACE_MS,
      say: text => printLine(io.stderr, `belay run: ${text}`),
    })
  } finally {
    await link.close()
    if (role !== null) await role.release()
  }
}

const listenForSignals: SignalSource = listener => {
  const undos = PASSED_ON.map(signal => {
    const pass = () => listener(signal)
    process.on(signal, pass)
    return () => void process.off(signal, pass)
  })
  return () => {
    for (const undo of undos) undo()
  }
}
