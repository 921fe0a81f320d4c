// belay approvals: what waits for a person, this project first; --watch stays, rings the bell, and at a terminal decides with one key.
import type { ApprovalRequest } from '../approval/request.ts'
import { findHome } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../terminal/io.ts'
import { own } from '../terminal/visible.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon } from './daemon-status.ts'
import { renderRequest } from './render-request.ts'
import { runVerb } from './state-call.ts'

export interface ApprovalsOptions {
  readonly watch?: boolean
  readonly all?: boolean
  readonly json?: boolean
  readonly signal?: AbortSignal
}

export function runApprovals(options: ApprovalsOptions, io: CommandIo): Promise<ExitCode> {
  if (options.watch === true) return isDesk(options, io) ? watchAtTerminal(io) : watch(options, io)
  const { root } = findProject(io.cwd, findHome(io.env))
  return runVerb<{ requests: readonly ApprovalRequest[] }>(io, {
    method: 'approvals.list',
    params: { all: options.all === true },
    json: options.json,
    render: ({ requests }) =>
      requests.length === 0
        ? 'nothing waits'
        : hereFirst(requests, root)
            .map(request => renderRequest(io, request, root))
            .join('\n\n'),
  })
}

function hereFirst<R extends ApprovalRequest>(requests: readonly R[], root: string): readonly R[] {
  return [...requests].sort((a, b) => Number(b.root === root) - Number(a.root === root))
}

/** Both ends of a terminal: what is asked is seen there, and what is pressed comes from there. */
function isDesk({ json }: ApprovalsOptions, io: CommandIo): boolean {
  return json !== true && io.isTty && 'isTTY' in io.stdin && io.stdin.isTTY === true
}

async function watchAtTerminal(io: CommandIo): Promise<ExitCode> {
  const { openApprovalTerminal } = await import('./approval-terminal.ts')
  const { watchApprovals } = await import('../approval/watch-approvals.ts')
  const { terminal, close } = openApprovalTerminal(io)
  try {
    const refused = await watchApprovals(terminal)
    return refused === null ? 0 : fail(io, refused)
  } finally {
    close()
  }
}

const POLL_MS = 25_000
const RETRY_MS = 1000
const BELL = '\u0007'

/** While it runs somebody is there to decide, and agents are held instead of refused. */
async function watch({ json, signal }: ApprovalsOptions, io: CommandIo): Promise<ExitCode> {
  const { socket } = runPaths(findHome(io.env), io.env)
  const { root } = findProject(io.cwd, findHome(io.env))
  const shown = new Set<string>()
  let seen = 'nothing yet'
  if (json !== true) printLine(io.stdout, 'waiting for approvals (Ctrl-C ends); decide in another terminal: belay approvals allow ID')
  while (signal?.aborted !== true) {
    const answer = await callDaemon(socket, 'approvals.watch', { seen, timeoutMs: POLL_MS }, POLL_MS + 10_000)
    if (answer.kind === 'refused') return fail(io, answer.why)
    if (answer.kind !== 'result') {
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      continue
    }
    const { requests, ...next } = answer.value as { seen: string; requests: readonly ApprovalRequest[] }
    seen = next.seen
    for (const request of hereFirst(requests, root)) {
      if (shown.has(request.id)) continue
      shown.add(request.id)
      if (json === true) printLine(io.stdout, JSON.stringify(request))
      else printLine(io.stdout, `${io.isTty ? own(BELL) : ''}${renderRequest(io, request, root)}\n`)
    }
  }
  return 0
}
