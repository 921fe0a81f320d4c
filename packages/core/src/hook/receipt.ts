// A call that is not run again because it has run before: the hook denies it, and its evidence of this kind carries what the call gave.
import type { Evidence } from './hook-result.ts'

export const RECEIPT = 'tool_receipt'

/** Null: none of it is a receipt. */
export function receiptOf(evidence: readonly Evidence[]): { readonly output: unknown } | null {
  const found = evidence.find(({ kind }) => kind === RECEIPT)
  return found === undefined ? null : { output: found.data.output ?? null }
}
