// What an operation looks like in the ledger. Every fact that its effect depends on stands in it, so that replay needs no policy.
import type { GenesisPolicy } from '@belay/core/policy'
import { type Commitment, isPassedValidation } from './board.ts'
import type { OperationRequest, Tier } from './operation.ts'
import { reopenLimit } from './tier.ts'

export interface BodyFacts {
  readonly commitment: Commitment | null
  readonly policies: readonly GenesisPolicy[]
  /** The tier a new commitment gets. */
  readonly tier: Tier | null
  /** Something else still holds it: it goes to review instead of closing by itself. */
  readonly isHeld: boolean
  readonly newId: (prefix: 'mem' | 'cmt') => string
  readonly nowMs: number
}

export function operationBody(request: OperationRequest, facts: BodyFacts): Readonly<Record<string, unknown>> {
  const { name, agentId, root, target, text, tags, review, source, relation } = request
  const common = { root, ...(agentId === null ? {} : { agentId }) }
  switch (name) {
    case 'capture':
      return { ...common, memory: facts.newId('mem'), text, tags }
    case 'commit':
      return { ...common, commitment: facts.newId('cmt'), title: text, tags, tier: facts.tier, review: review === true, source }
    case 'annotate':
      return { ...common, ...targetOf(target), target, text, tags }
    case 'evidence':
      return { ...common, commitment: target, validates: isPassedValidation(request.evidence), item: request.evidence }
    case 'submit':
      return { ...common, commitment: target, text, ...closing(facts) }
    case 'link':
      return { ...common, ...targetOf(target), target, source, relation: relation ?? 'relates_to' }
    case 'triage':
      return { ...common, ...targetOf(target), target, tier: request.tier, review, tags, text }
    default:
      return { ...common, ...targetOf(target), text }
  }
}

/** The columns that find an entry by what it is about. */
function targetOf(target: string | null): Readonly<Record<string, unknown>> {
  return target?.startsWith('mem_') === true ? { memory: target } : { commitment: target }
}

function closing({ commitment, policies, isHeld, nowMs }: BodyFacts): Readonly<Record<string, unknown>> {
  const tier = commitment?.tier ?? null
  const closes = (tier === 't1' || tier === 't2') && commitment?.requiresReview === false && !isHeld
  return closes ? { closes, reopenUntil: reopenLimit(policies, tier, nowMs) } : { closes }
}
