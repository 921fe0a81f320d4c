// Which operations a commitment's state lets through, and who may do them. Invariant: whoever did the work never reviews it.
import { type Commitment, type CommitmentState, STATES } from './board.ts'
import type { OperationName, OperationRequest } from './operation.ts'

/** From which states; capture and commit make something new. */
const LEGAL_FROM: Readonly<Record<Exclude<OperationName, 'capture' | 'commit'>, readonly CommitmentState[]>> = {
  claim: ['open'],
  release: ['claimed'],
  annotate: STATES,
  evidence: ['open', 'claimed', 'in_review'],
  submit: ['claimed'],
  approve: ['in_review'],
  reject: ['in_review'],
  reopen: ['closed'],
  dismiss: ['open', 'claimed', 'in_review'],
  close: ['open', 'claimed'],
  link: STATES,
  triage: ['open', 'claimed', 'in_review'],
}

/** What may be done to it now, by somebody. */
export function legalOperations({ state, requiresReview }: Commitment): readonly OperationName[] {
  const legal = Object.entries(LEGAL_FROM).flatMap(([name, from]) => (from.includes(state) ? [name as OperationName] : []))
  return requiresReview ? legal.filter(name => name !== 'close') : legal
}

/** Why not; null: it may go on. */
export function refuseTransition(commitment: Commitment, request: OperationRequest, nowMs: number): string | null {
  const { id, state, requiresReview } = commitment
  if (request.name === 'close' && requiresReview && LEGAL_FROM.close.includes(state))
    return `${id} requires review: submit it, and somebody else approves it`
  const legal = legalOperations(commitment)
  if (!legal.includes(request.name)) return `${id} is ${state}: ${request.name} is not possible; possible are ${legal.join(', ')}`
  return refuseDoer(commitment, request) ?? refuseOther(commitment, request) ?? refuseReopen(commitment, request, nowMs)
}

function refuseDoer({ id, doers, requiresReview }: Commitment, { name, actor, alsoAs, agentId, review }: OperationRequest): string | null {
  if (![actor, ...alsoAs, agentId].some(each => each !== null && doers.includes(each))) return null
  if (name === 'approve' || name === 'reject') return `${actor} worked on ${id} and cannot ${name} it; somebody else has to`
  if (name === 'dismiss' && requiresReview)
    return `${actor} worked on ${id}, which requires review, and cannot dismiss it; somebody else has to`
  const liftsReview = name === 'triage' && requiresReview && review === false
  return liftsReview ? `${actor} worked on ${id} and cannot lift its review; somebody else has to` : null
}

/** Only who holds it hands it in or gives it back; a person may also take it away or close it. */
function refuseOther(commitment: Commitment, { name, actor }: OperationRequest): string | null {
  const { id, state, claimedBy } = commitment
  if (!['release', 'submit', 'close'].includes(name) || state !== 'claimed' || claimedBy === actor) return null
  return name !== 'submit' && isPerson(actor) ? null : `${id} is claimed by ${claimedBy}: ${actor} cannot ${name} it`
}

function refuseReopen({ id, tier, reopenUntil }: Commitment, { name }: OperationRequest, nowMs: number): string | null {
  if (name !== 'reopen' || reopenUntil === null) return null
  if (reopenUntil === 'never') return `${id} closed by itself as ${tier} and stays closed; commit anew`
  return nowMs <= Date.parse(reopenUntil) ? null : `${id} could be reopened until ${reopenUntil}; commit anew`
}

export function isPerson(actor: string): boolean {
  return actor.startsWith('human:')
}
