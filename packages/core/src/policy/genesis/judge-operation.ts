// May an actor do an operation on commitments (1.0)? Each file that says anything about operations must agree; without one all are free.
import { formatPlace } from '../../verdict/place.ts'
import { bestActorMatch, matchesActor } from './actor-match.ts'
import type { GenesisPolicy, OperationGrant } from './genesis-policy.ts'

export type OperationVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

export function judgeOperation(policies: readonly GenesisPolicy[], actor: string, operation: string): OperationVerdict {
  for (const { file, operations } of policies) {
    const denied = operations.find(grant => grant.effect === 'deny' && grant.operation === operation && matchesActor(grant.actor, actor))
    if (denied !== undefined) return refuse(`${actor} may not ${operation}: denied at ${formatPlace(denied.place)}`)
    if (operations.length > 0 && !isGranted(operations, actor, operation))
      return refuse(`${actor} may not ${operation}: ${file} does not grant it`)
  }
  return { allowed: true }
}

function isGranted(grants: readonly OperationGrant[], actor: string, operation: string): boolean {
  const block = bestActorMatch(
    grants.filter(grant => grant.by === 'actor'),
    actor,
  )
  return grants.some(grant => {
    if (grant.effect !== 'allow' || grant.operation !== operation) return false
    return grant.by === 'operation' ? matchesActor(grant.actor, actor) : grant.actor === block?.actor
  })
}

function refuse(reason: string): OperationVerdict {
  return { allowed: false, reason }
}
