// What a check of a ledger says. `ok` means: every row is what was written, and every checkpoint that was found covers it and is signed.
import type { Fault } from '@belay/core/ledger'

export interface VerifyReport {
  readonly ok: boolean
  readonly source: string
  readonly origin: string | null
  readonly records: number
  readonly range: { readonly first: number; readonly last: number } | null
  /** seq of the first bad row. */
  readonly firstBad?: number
  /** In the order of their rows. */
  readonly faults: readonly Fault[]
  readonly checkpoints: number
  /** Rows under the last good checkpoint. */
  readonly sealed: number
  /** Rows after it: they could be cut off unseen. */
  readonly unsealed: number
  /** Who is trusted to sign: keys that came from outside the checked file, or only those inside it. */
  readonly keys: { readonly pinned: boolean; readonly ids: readonly string[] }
  /** Times when something could not be recorded, by the ledger's own account. */
  readonly gaps: number
  readonly clockSteps: number
  readonly blobs: { readonly kept: number; readonly pruned: number }
  /** Entries that were dropped whole; their hashes are there. */
  readonly dropped: number
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** `row 3: body hash: its body does not give its body hash` */
export function describeFault({ seq, kind, what }: Fault): string {
  return `row ${seq}: ${kind.replace('_', ' ')}: ${what}`
}
