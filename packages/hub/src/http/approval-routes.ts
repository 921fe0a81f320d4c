// What waits for a person, over all machines: machines ask, approvers decide, everybody reads.

import type { NoteSigner } from '@belay/core/ledger'
import type { SharedApproval } from '@belay/core/team'
import { isObject } from '@belay/core/value'
import type { Refusals } from '../act/refusals.ts'
import { type Decided, decideApprovals, listApprovals, type PersonsDecision } from '../approval/decide-approval.ts'
import { noteWatching, takeApproval } from '../approval/take-approvals.ts'
import type { Database } from '../database/open-database.ts'
import { type Pulses, raisePulse } from '../database/pulse.ts'
import { mayDo } from '../database/role.ts'
import { ok, type Routes, refuse } from './route.ts'

const STATES = ['pending', 'allowed', 'denied', 'expired'] as const
const MAX_SENT = 200
const MAX_TOGETHER = 100
/** Machines shorten long texts before they send them, and everybody who looks is sent all that waits. */
const MAX_REQUEST_CHARACTERS = 512 * 1024

export interface ApprovalRoutesOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly pulses: Pick<Pulses, 'wake'>
  readonly refusals: Refusals
}

export function createApprovalRoutes({ db, signer, pulses, refusals }: ApprovalRoutesOptions): Routes {
  const decideInTurn = createTurn(decisions => decideApprovals(db, signer, decisions))
  return {
    'GET /v1/approvals': {
      for: 'viewer',
      run: async ({ query }, person) => {
        const state = query.get('state')
        if (state !== null && !(STATES as readonly string[]).includes(state)) return refuse(400, `state is one of ${STATES.join(', ')}`)
        // Somebody who can decide looks: agents are held for them from now on.
        if (mayDo(person.role, 'approver') && (await noteWatching(db))) await raisePulse(db, '')
        return ok({ approvals: await listApprovals(db, state) })
      },
    },
    'POST /v1/approvals/decide': {
      for: 'approver',
      run: async ({ body }, person) => {
        const { machine, id, decision, note = null } = isObject(body) ? body : {}
        if (typeof machine !== 'string' || typeof id !== 'string' || (decision !== 'allow' && decision !== 'deny'))
          return refuse(400, 'a decision is {machine, id, decision: allow or deny, note?}')
        if (note !== null && (typeof note !== 'string' || note.length > 1000))
          return refuse(400, 'note is a text of at most 1000 characters')
        const state = decision === 'allow' ? 'allowed' : 'denied'
        const decided = await decideInTurn({ person: person.name, machine, id, decision: state, note })
        if (decided.ok) {
          pulses.wake(machine)
          return ok({ machine, id, state })
        }
        if (decided.status === 403)
          await refusals.note({ actor: `person:${person.name}`, kind: 'approval_refused', body: { machine, id, why: decided.why } })
        return refuse(decided.status, decided.why)
      },
    },
    'POST /v1/approvals': {
      for: 'machine',
      run: async ({ body }, machine) => {
        const sent = isObject(body) && Array.isArray(body.approvals) ? body.approvals.map(parseSent) : []
        if (sent.length === 0 || sent.length > MAX_SENT || !sent.every(each => each !== undefined))
          return refuse(400, `approvals is a list of at most ${MAX_SENT} requests`)
        for (const each of sent) await takeApproval(db, machine.id, each)
        return ok({})
      },
    },
  }
}

/**
 * Decisions go into the hub's record one transaction behind another; all that came meanwhile go with the next. Whoever waits for that holds no
 * connection: machines need them to hear of what is decided.
 */
function createTurn(decide: (decisions: readonly PersonsDecision[]) => Promise<readonly Decided[]>) {
  let next: { readonly decisions: PersonsDecision[]; readonly done: Promise<readonly Decided[]> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return async (decision: PersonsDecision): Promise<Decided> => {
    if (!next || next.decisions.length === MAX_TOGETHER) {
      const decisions: PersonsDecision[] = []
      const turn = {
        decisions,
        done: last.then(() => {
          if (next === turn) next = undefined
          return decide(decisions)
        }),
      }
      next = turn
      last = turn.done.catch(() => undefined)
    }
    const { decisions, done } = next
    const at = decisions.push(decision) - 1
    return (await done)[at] as Decided
  }
}

function parseSent(value: unknown): SharedApproval | undefined {
  if (!isObject(value) || !isObject(value.facts) || !Array.isArray(value.approvers)) return undefined
  const { id, state, requester, approvers, leftMs, decidedBy, note } = value
  const isWhole =
    typeof id === 'string' &&
    /^[\w-]{1,64}$/.test(id) &&
    (STATES as readonly unknown[]).includes(state) &&
    typeof requester === 'string' &&
    approvers.every(each => typeof each === 'string') &&
    typeof leftMs === 'number' &&
    [decidedBy, note].every(text => text === null || typeof text === 'string') &&
    JSON.stringify(value).length <= MAX_REQUEST_CHARACTERS
  return isWhole ? (value as unknown as SharedApproval) : undefined
}
