// `belay hook`: asks the daemon; when nobody answers it judges the static policy itself, spools the event and starts the daemon.
// Invariant: whatever breaks before a tool runs, the exit is a refusal: real agents let a tool run when a hook crashes.

import { errorText } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { runPaths } from '../wire/run-paths.ts'
import type { ShimAnswer } from '../wire/shim-frame.ts'
import { buildFrame } from './build-frame.ts'
import { createEventId } from './event-id.ts'

export interface HookOptions {
  readonly agent: string
  readonly event: string
  /** Given by a faster client that has already asked the daemon. */
  readonly eventId?: string | undefined
  /** Do not ask the daemon: a faster client has already. */
  readonly direct: boolean
  readonly deadlineMs: number | null
  /** Added to the exit code of every answer: the line that started us tells by it that it was us. */
  readonly proof?: number | undefined
}

export interface HookIo {
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTty: boolean
  /** The process that started the client. */
  readonly parentPid?: number
  /** PATH of the agent, where this process has it. */
  readonly path?: string | undefined
  /** The agent that started the MCP proxy. */
  readonly host?: string | null
  /** A name beside BELAY_ACTOR; it can only lower rights. */
  readonly actor?: string | null
  readonly etc: string
  /** Starts the daemon in the background and returns at once. */
  startDaemon(): void
}

export interface HookOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

const DEFAULT_DEADLINE_MS = 25_000

export async function runHook(options: HookOptions, io: HookIo): Promise<HookOutput> {
  try {
    const home = findHome(io.env)
    const frame = buildFrame({ ...options, ...io, eventId: options.eventId ?? createEventId(Date.now()) })
    const { shimSocket } = runPaths(home, io.env)
    const answer = options.direct ? null : await askDaemon(shimSocket, frame, options.deadlineMs ?? DEFAULT_DEADLINE_MS)
    if (answer !== null) return { stdout: answer.stdout, stderr: answer.stderr, exitCode: answer.exit }
    return await (await loadRest()).answerAlone(options, io, { home, frame, shimSocket })
  } catch (error) {
    return (await loadRest()).failure(options, io, errorText(error))
  }
}

/** Loaded only here: asking must stay as fast as starting Node, and who asks need not even know the agents. */
function loadRest(): Promise<typeof import('./answer-alone.ts')> {
  return import('./answer-alone.ts')
}

/** Loaded only here: whoever does not ask needs nothing of the network. */
async function askDaemon(path: string, frame: string, timeoutMs: number): Promise<ShimAnswer | null> {
  const { askShimSocket } = await import('./ask-shim-socket.ts')
  return askShimSocket(path, frame, timeoutMs)
}
