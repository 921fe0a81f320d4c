// How long a hook may take before people should look at it. A hook may have a narrower budget of its own; its record says when it broke it.
import { type Fields, numberIn } from './read-fields.ts'

export const BUDGET_MS = 50

export function isOverBudget(run: Fields): boolean {
  return run.overBudget === true || (numberIn(run.ms) ?? 0) > BUDGET_MS
}
