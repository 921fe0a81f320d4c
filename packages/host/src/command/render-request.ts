// A request for a person's decision, as a terminal shows it.
import type { ApprovalRequest, HeldRequest } from '../approval/request.ts'
import type { CommandIo } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { hang } from '../terminal/table.ts'
import { visibleText } from '../terminal/visible.ts'

/** `root`: of whoever looks; what waits elsewhere says where. */
export function renderRequest(io: CommandIo, request: ApprovalRequest | HeldRequest, root?: string): string {
  const { id, state, actor, agentId, tool, input, reason, rule, approvers, expiresAt, commitment, decidedBy, usedAt } = request
  const { command, file_path: file, url } = input
  const what = [command, file, url].find(value => typeof value === 'string') ?? JSON.stringify(input)
  const status =
    state === 'pending'
      ? `${waitText(request)}; you can decide until ${new Date(expiresAt).toLocaleString('sv')}`
      : `${state}${decidedBy === null ? '' : ` by ${decidedBy}`}${usedAt === null || state === 'expired' ? '' : ', used'}`
  return [
    `${paint(io, 'bold', id)}  ${paint(io, state === 'pending' ? 'yellow' : 'dim', status)}`,
    `  ${actor} (${agentId})${commitment === null ? '' : ` on ${commitment}`}`,
    `  ${visibleText(tool === null ? 'wants to finish' : `${tool}: ${String(what)}`)}`,
    ...renderReason(io, isSaid(rule, reason) ? reason : `${reason}; ${rule}`),
    ...(approvers.length === 0 ? [] : [`  decided by ${approvers.join(' or ')}`]),
    ...(root === undefined || root === request.root ? [] : [`  in another project: ${visibleText(request.root)}`]),
  ].join('\n')
}

/** Line by line: it may be the difference of two texts. Only the id of a request stands at the edge. */
function renderReason(io: CommandIo, reason: string): readonly string[] {
  return reason.split('\n').map((line, at) => hang(io, at === 0 ? '  ' : '    ', visibleText(line)))
}

/** A reason that names the rule and its place needs no second mention. */
function isSaid(rule: string | null, reason: string): boolean {
  if (rule === null) return true
  const [, words, place] = /^\S+ ([\s\S]*?)(?: \((\S.*:\d+)\))?$/.exec(rule) ?? []
  return words !== undefined && reason.includes(words) && (place === undefined || reason.includes(place))
}

/** Held, or told no already and free to try again once it is allowed. */
function waitText(request: ApprovalRequest | HeldRequest): string {
  const until = 'heldUntil' in request ? request.heldUntil : null
  if (until === null) return 'refused for now'
  return `the agent waits ${Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000))} s more`
}
