// How a hook's process ended and what it left behind; made by run-process.ts, read by interpret/.
import type { CancelReason } from '../../hook/hook-result.ts'

export interface ProcessOutput {
  readonly stdout: string
  readonly stderr: string
  /** Something was longer than is kept. */
  readonly truncated: boolean
}

export type ProcessEnd =
  /** A process that a signal ended has no exit code: it is never a success. */
  | ({ readonly kind: 'exited'; readonly exitCode: number } & ProcessOutput)
  | ({ readonly kind: 'killed'; readonly signal: string } & ProcessOutput)
  | ({ readonly kind: 'cancelled'; readonly why: CancelReason } & ProcessOutput)
  | { readonly kind: 'not-started'; readonly code: 'no-cwd' | 'no-program' | 'refused'; readonly why: string }
