// RPC verbs of the queue: approvals.list, .show, .watch, .allow, .deny. Deciding needs a person: the dashboard's session, or somebody at a
// terminal who typed the end of the last id.
import { matchesActor } from '@belay/core/policy'
import type { Approvals, Decision } from '../approval/open-approvals.ts'
import type { Presence } from '../approval/presence.ts'
import { type ApprovalRequest, CONFIRMED_CHARACTERS, type HeldRequest } from '../approval/request.ts'
import type { RouteCall } from '../http/route.ts'
import { needText, type Params, readNumber, readText } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RPC_REFUSED, RpcError, type RpcMethod } from '../rpc/rpc.ts'

export interface ApprovalMethodOptions {
  readonly approvals: Approvals
  readonly presence: Presence
  /** Until when an agent waits for it; null: none does. */
  heldUntil(id: string): number | null
  /** `human:<name>` of this machine. */
  readonly person: string
  /** Resolves with the next change in the queue. */
  nextChange(): Promise<void>
  /** Adds an allow rule where the request came from; throws an RpcError. */
  addRule(request: ApprovalRequest, pattern: string): AddedRule
}

export interface AddedRule {
  /** Whom it holds for. */
  readonly actor: string
  readonly file: string
  /** Where the file is not trusted the rule has no effect yet. */
  readonly isTrusted: boolean
}

type Method = RpcMethod<RouteCall>

const HISTORY = 200
const MAX_WATCH_MS = 30_000

export function createApprovalMethods(options: ApprovalMethodOptions): readonly (readonly [string, Method])[] {
  const { approvals } = options
  return [
    ['approvals.list', async params => ({ requests: (await listRequests(approvals, params)).map(request => withHold(options, request)) })],
    ['approvals.show', async params => ({ request: await findAny(approvals, needText(params, 'id')) })],
    ['approvals.watch', (params, { response }) => watch(params, response, options)],
    ['approvals.allow', (params, caller) => decideAll('allowed', params, caller, options)],
    ['approvals.deny', (params, caller) => decideAll('denied', params, caller, options)],
  ]
}

function listRequests(approvals: Approvals, { all }: Params) {
  return all === true ? approvals.history(HISTORY) : Promise.resolve(approvals.pending())
}

function withHold({ heldUntil }: Pick<ApprovalMethodOptions, 'heldUntil'>, request: ApprovalRequest): HeldRequest {
  const until = request.state === 'pending' ? heldUntil(request.id) : null
  return { ...request, heldUntil: until === null ? null : new Date(until).toISOString() }
}

/** Answers when what waits differs from what the caller has seen; meanwhile the caller counts as somebody who can decide. */
async function watch(params: Params, response: RouteCall['response'], options: ApprovalMethodOptions): Promise<unknown> {
  const leave = options.presence.arrive()
  const gone = new Promise<void>(resolve => response.once('close', resolve))
  const until = Date.now() + Math.min(readNumber(params, 'timeoutMs') ?? MAX_WATCH_MS, MAX_WATCH_MS)
  const seen = readText(params, 'seen') ?? ''
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      const change = options.nextChange()
      const requests = options.approvals.pending()
      const now = requests.map(({ id }) => id).join(' ')
      const left = until - Date.now()
      if (now !== seen || left <= 0 || response.destroyed)
        return { seen: now, requests: requests.map(request => withHold(options, request)) }
      const timeout = new Promise<void>(resolve => {
        timer = setTimeout(resolve, left)
      })
      await Promise.race([change, timeout, gone])
      clearTimeout(timer)
    }
  } finally {
    leave()
  }
}

async function decideAll(state: Decision['state'], params: Params, { as }: RouteCall, options: ApprovalMethodOptions): Promise<unknown> {
  const ids = idsOf(params)
  if (as !== 'session') needConfirmation(params, ids)
  const requests = ids.map(id => needPending(options.approvals, id))
  for (const request of requests) needApprover(request, options.person)
  const always = readText(params, 'always')
  if (always !== null && state === 'denied') throw new RpcError(RPC_INVALID_PARAMS, 'always goes with allow, not with deny.')
  const [first] = requests
  const written = always === null || first === undefined ? null : options.addRule(first, always)
  const via = as === 'session' ? 'dashboard' : 'terminal'
  const decision: Decision = { state, by: options.person, via, note: readText(params, 'note'), always }
  const decided: ApprovalRequest[] = []
  // Looked up again each: while one is written another may be decided elsewhere.
  for (const id of ids) decided.push(await options.approvals.decide(needPending(options.approvals, id), decision))
  return { decided, ...(written === null ? {} : { rule: { pattern: always, ...written } }) }
}

/** What the person typed, having read what is decided. */
function needConfirmation(params: Params, ids: readonly string[]): void {
  const wanted = ids.at(-1)?.slice(-CONFIRMED_CHARACTERS) ?? ''
  if (wanted !== '' && readText(params, 'typed')?.trim().toLowerCase() === wanted) return
  throw new RpcError(RPC_REFUSED, 'what was typed is not the end of the id; nothing was decided')
}

export function needPending(approvals: Approvals, id: string): ApprovalRequest {
  const request = approvals.find(id)
  if (request === null)
    throw new RpcError(RPC_REFUSED, `nothing waits under ${id}: it is over, or never was; belay approvals --all lists them`)
  if (request.state === 'allowed' || request.state === 'denied')
    throw new RpcError(RPC_REFUSED, `${id} is ${request.state} already, by ${request.decidedBy ?? 'a person'}`)
  if (approvals.isOver(request)) throw new RpcError(RPC_REFUSED, `${id} is past its time (${request.expiresAt})`)
  return request
}

export function needApprover({ id, approvers }: ApprovalRequest, person: string): void {
  if (approvers.length === 0 || approvers.some(approver => matchesActor(approver, person))) return
  throw new RpcError(RPC_REFUSED, `${id} is decided by ${approvers.join(' or ')}, not by ${person}`)
}

async function findAny(approvals: Approvals, id: string): Promise<ApprovalRequest> {
  const known = approvals.find(id) ?? (await approvals.history(HISTORY)).find(request => request.id === id)
  if (known === undefined) throw new RpcError(RPC_REFUSED, `there is no request ${id}`)
  return known
}

function idsOf(params: Params): readonly string[] {
  const { ids } = params
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(id => typeof id === 'string')) {
    throw new RpcError(RPC_INVALID_PARAMS, 'ids must be a list of request ids.')
  }
  return ids
}
