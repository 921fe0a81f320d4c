// Constraints of genesis 1.0: what must be true before an operation is done. Each item may name an operation and a `match`.
import type { GenesisPolicy } from '@belay/core/policy'
import type { Commitment } from './board.ts'
import type { OperationName, OperationRequest } from './operation.ts'
import { dataIn, listIn, numberIn, textIn, textsIn } from './policy-data.ts'
import { matchesSubject, type Subject } from './subject-match.ts'
import { isPerson } from './transition.ts'

export interface ConstraintCase {
  readonly request: OperationRequest
  /** null: the operation makes something new. */
  readonly commitment: Commitment | null
  readonly subject: Subject
  /** How many commitments the actor holds now. */
  readonly held: number
}

type Check = (item: unknown, given: ConstraintCase) => string | null

const CHECKS: Readonly<Record<string, { readonly operations: readonly OperationName[]; readonly check: Check }>> = {
  require_claim: {
    operations: ['submit', 'close'],
    check: (_item, { commitment, request }) =>
      commitment === null || commitment.claimedBy === request.actor ? null : `${commitment.id} must be claimed by ${request.actor} first`,
  },
  require_human: {
    operations: ['approve', 'close'],
    check: (_item, { request }) => (isPerson(request.actor) ? null : `${request.name} needs a person here; ${request.actor} is none`),
  },
  require_validation: {
    operations: ['submit', 'close', 'approve'],
    check: (_item, { commitment }) =>
      commitment === null || commitment.validations > 0
        ? null
        : `${commitment.id} needs a passed build or test as evidence: belay evidence ${commitment.id} --kind test --status passed`,
  },
  max_open_per_actor: {
    operations: ['claim'],
    check: (item, { held, request }) => {
      const most = numberIn(item) ?? numberIn(dataIn(item).limit) ?? numberIn(dataIn(item).max)
      return most === null || held < most ? null : `${request.actor} holds ${held} commitments already, and ${most} is the most`
    },
  },
}

/** The first constraint that stands against it. */
export function refuseConstraint(policies: readonly GenesisPolicy[], given: ConstraintCase): string | null {
  for (const { sections, file } of policies) {
    const constraints = dataIn(sections.constraints)
    for (const [name, { operations, check }] of Object.entries(CHECKS)) {
      for (const item of listIn(constraints[name])) {
        if (item === false || !concerns(item, operations, given)) continue
        const why = check(item, given)
        if (why !== null) return `${why} (${name} in ${file})`
      }
    }
  }
  return null
}

function concerns(item: unknown, standard: readonly OperationName[], { request, subject }: ConstraintCase): boolean {
  const fields = dataIn(item)
  const named = [...textsIn(fields.operation), ...textsIn(fields.operations), ...(textIn(item) === null ? [] : [textIn(item) ?? ''])]
  const operations = named.length > 0 ? named : standard
  return operations.includes(request.name) && matchesSubject(fields.match, subject)
}
