// final_validation in the daemon: what is asked of a project, and commitments that are closed with evidence.
import { createFileValidator, type HookEvent, type ValidationPlan, type Validator } from '@belay/core'
import type { Board, Commitment } from '../commitment/board.ts'

export interface ValidatorOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  board(): Promise<Board>
}

export function createValidator({ env, board }: ValidatorOptions): Validator {
  return createFileValidator({ env, checkCommitments: async (plan, root) => checkCommitments(plan, root, await board()) })
}

function checkCommitments({ commitments: wanted, event }: ValidationPlan, root: string, board: Board): readonly string[] {
  if (wanted === null) return []
  const own = [...board.commitments.values()].filter(commitment => commitment.root === root && concerns(commitment, event))
  const problems: string[] = []
  if (own.length < wanted.minCount)
    problems.push(`${wanted.minCount} commitments are wanted and there are ${own.length}: belay commit TEXT`)
  for (const { id, state, resolution, evidence } of own) {
    if (wanted.requireClosed && state !== 'closed') problems.push(`${id} is ${state}, not closed`)
    if (wanted.requireClosed && resolution === 'dismissed')
      problems.push(`${id} was dismissed, which is not finished: reopen it, or ask a person`)
    if (wanted.requireEvidence && evidence === 0) problems.push(`${id} has no evidence: belay evidence ${id} ...`)
  }
  return problems
}

function concerns({ id, doers, createdBy }: Commitment, { commitment, actor, delivery }: HookEvent): boolean {
  return id === commitment || createdBy === actor || doers.includes(actor) || (delivery !== undefined && doers.includes(delivery.agentId))
}
