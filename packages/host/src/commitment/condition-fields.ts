// `commitment` as conditions read it.
import type { Commitment } from './board.ts'

export function conditionFields(id: string, commitment: Commitment | undefined): Readonly<Record<string, unknown>> {
  if (commitment === undefined) return { id }
  const { state, tier, requiresReview, claimedBy, evidence } = commitment
  return { id, state, tier, requires_review: requiresReview, claimed_by: claimedBy, evidence_count: evidence }
}
