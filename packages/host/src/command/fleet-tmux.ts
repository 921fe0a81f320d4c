// belay fleet tmux: the fleet as colours of tmux panes, once or until it is ended.
import { findHome } from '../config/home.ts'
import { coalesce } from '../fleet/coalesce.ts'
import { createPaneReader, createTmux, listPanes, matchPanes, type PaintedPane, paintPane, type Tmux, unpaintPane } from '../fleet/tmux.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { keepFollowing } from '../wire/follow-events.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon } from './daemon-status.ts'
import { listAgents } from './fleet.ts'

export interface FleetTmuxOptions {
  readonly json?: boolean
  readonly watch?: boolean
  readonly off?: boolean
}

const RETRY_MS = 1000
const WATCH_MS = 2000

export async function runFleetTmux(options: FleetTmuxOptions, io: CommandIo): Promise<ExitCode> {
  const tmux = createTmux(io.env)
  const panes = listPanes(tmux)
  if ('why' in panes) return fail(io, `tmux does not answer: ${panes.why}`, 'run this inside tmux, or start a server first')
  if (options.off === true) {
    for (const { id } of panes) unpaintPane(tmux, id)
    return 0
  }
  const { socket } = runPaths(findHome(io.env), io.env)
  if (options.watch === true) return watchPanes(tmux, socket)
  const painted = await paintPanes(tmux, socket)
  if (painted === null) return fail(io, 'the daemon is not running', 'start it with: belay up --detach')
  if (options.json === true) printJson(io, painted)
  else if (painted.length === 0) printLine(io.stdout, 'no pane runs an agent that the daemon knows by its AGENT_ID; belay run sets it')
  else printLine(io.stdout, painted.map(({ pane, agent, status }) => `${pane}  ${agent}  ${status}`).join('\n'))
  return 0
}

/** null: there is no daemon, or tmux is gone. */
async function paintPanes(tmux: Tmux, socket: string): Promise<readonly PaintedPane[] | null> {
  const agents = await listAgents(socket)
  const panes = listPanes(tmux)
  if (agents === null || 'why' in panes) return null
  return matchPanes(panes, agents, createPaneReader()).filter(pane => paintPane(tmux, pane))
}

/** A pane that a person has in front of them counts as looked at. Leaves tmux as it was. */
async function watchPanes(tmux: Tmux, socket: string): Promise<ExitCode> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort())
  const painted = new Set<string>()
  const painting = coalesce(async () => {
    for (const { pane, agent, status, isSeen } of (await paintPanes(tmux, socket)) ?? []) {
      painted.add(pane)
      if (isSeen && status !== 'working' && status !== 'checked') await callDaemon(socket, 'agent.check', { id: agent })
    }
  })
  const { ask } = painting
  const timer = setInterval(ask, WATCH_MS)
  await keepFollowing({ socket, types: ['agent.status', 'approval'], signal: ended.signal, retryMs: RETRY_MS, onOpen: ask, onEvent: ask })
  clearInterval(timer)
  await painting.idle()
  for (const pane of painted) unpaintPane(tmux, pane)
  return 0
}
