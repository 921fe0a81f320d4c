// belay fleet: who works, waits or fails, once or live.
import { styleText } from 'node:util'
import { findHome } from '../config/home.ts'
import type { FleetAgent } from '../fleet/fleet-agent.ts'
import { renderFleet } from '../fleet/render-fleet.ts'
import { watchFleet } from '../fleet/watch-fleet.ts'
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'
import { onKeys } from '../terminal/on-keys.ts'
import { paint } from '../terminal/style.ts'
import { keepFollowing } from '../wire/follow-events.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon } from './daemon-status.ts'
import { runVerb } from './state-call.ts'

export interface FleetOptions {
  readonly json?: boolean
  readonly watch?: boolean
  readonly bell?: boolean
}

const RETRY_MS = 1000
/** Without a terminal nothing is cut. */
const ENDLESS = 100_000

export function runFleet(options: FleetOptions, io: CommandIo): Promise<ExitCode> {
  if (options.watch === true) return watch(options, io)
  return runVerb<readonly FleetAgent[]>(io, {
    method: 'fleet.list',
    json: options.json,
    render: agents =>
      renderFleet(agents, {
        nowMs: Date.now(),
        width: io.isTty ? (process.stdout.columns ?? ENDLESS) : ENDLESS,
        selected: null,
        paint: (tone, text) => paint(io, tone, text),
      }).join('\n'),
  })
}

async function watch({ bell }: FleetOptions, io: CommandIo): Promise<ExitCode> {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !io.isTty) return fail(io, 'fleet --watch needs a terminal', 'for a script: belay fleet --json')
  const { socket } = runPaths(findHome(io.env), io.env)
  stdin.setRawMode(true)
  try {
    await watchFleet({
      screen: stdout,
      onKeys,
      list: () => listAgents(socket),
      check: async agent => void (await callDaemon(socket, 'agent.check', { id: agent })),
      follow: (onChange, signal) =>
        keepFollowing({ socket, types: CHANGES, signal, retryMs: RETRY_MS, onOpen: onChange, onEvent: onChange }),
      hasBell: bell === true,
      paint: (tone, text) => (io.env.NO_COLOR === undefined || tone === 'inverse' ? styleText(tone, text) : text),
      now: Date.now,
    })
  } finally {
    stdin.setRawMode(false)
  }
  return 0
}

const CHANGES = [
  'agent.status',
  'agent.signal',
  'session.ended',
  'approval',
  'effort.started',
  'effort.phase',
  'effort.finished',
  'effort.log',
  'run.restart',
]

/** null: there is no daemon. */
export async function listAgents(socket: string): Promise<readonly FleetAgent[] | null> {
  const answer = await callDaemon(socket, 'fleet.list', {})
  return answer.kind === 'result' ? (answer.value as readonly FleetAgent[]) : null
}
