// belay approvals: what waits for a person; --watch stays and rings the bell.
import type { ApprovalRequest } from '../approval/request.ts'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { own, visibleText } from '../terminal/visible.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon } from './daemon-status.ts'
import { runVerb } from './state-call.ts'

export interface ApprovalsOptions {
  readonly watch?: boolean
  readonly all?: boolean
  readonly json?: boolean
  readonly signal?: AbortSignal
}

export function runApprovals(options: ApprovalsOptions, io: CommandIo): Promise<ExitCode> {
  if (options.watch === true) return watch(options, io)
  return runVerb<{ requests: readonly ApprovalRequest[] }>(io, {
    method: 'approvals.list',
    params: { all: options.all === true },
    json: options.json,
    render: ({ requests }) => (requests.length === 0 ? 'nothing waits' : requests.map(request => renderRequest(io, request)).join('\n\n')),
  })
}

const POLL_MS = 25_000
const RETRY_MS = 1000
const BELL = '\u0007'

/** While it runs somebody is there to decide, and agents are held instead of refused. */
async function watch({ json, signal }: ApprovalsOptions, io: CommandIo): Promise<ExitCode> {
  const { socket } = runPaths(findHome(io.env), io.env)
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
    for (const request of requests) {
      if (shown.has(request.id)) continue
      shown.add(request.id)
      if (json === true) printLine(io.stdout, JSON.stringify(request))
      else printLine(io.stdout, `${io.isTty ? own(BELL) : ''}${renderRequest(io, request)}\n`)
    }
  }
  return 0
}

export function renderRequest(io: CommandIo, request: ApprovalRequest): string {
  const { id, state, actor, agentId, tool, input, reason, rule, approvers, expiresAt, commitment, decidedBy, usedAt } = request
  const { command, file_path: file, url } = input
  const what = [command, file, url].find(value => typeof value === 'string') ?? JSON.stringify(input)
  const status =
    state === 'pending'
      ? `until ${expiresAt}`
      : `${state}${decidedBy === null ? '' : ` by ${decidedBy}`}${usedAt === null || state === 'expired' ? '' : ', used'}`
  return [
    `${paint(io, 'bold', id)}  ${paint(io, state === 'pending' ? 'yellow' : 'dim', status)}`,
    `  ${actor} (${agentId})${commitment === null ? '' : ` on ${commitment}`}`,
    `  ${visibleText(tool === null ? 'wants to finish' : `${tool}: ${String(what)}`)}`,
    `  ${visibleText(reason)}${rule === null ? '' : `; ${visibleText(rule)}`}`,
    ...(approvers.length === 0 ? [] : [`  decided by ${approvers.join(' or ')}`]),
  ].join('\n')
}
