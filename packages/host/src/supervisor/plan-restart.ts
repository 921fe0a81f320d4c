// What a supervisor does when its agent has ended: hand the exit code on, or start it again, later and later while it keeps ending at once.
// Restarted are agents that were told to hand over, and those that crashed; one that ends by itself has ended.
import { constants } from 'node:os'

export interface RestartOrder {
  /** As in "restarted because ...". */
  readonly reason: string
  readonly prompt: string
}

export interface Ending {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly livedMs: number
  /** Why it has to start anew, and what to go on with; null: nobody told it to hand over. */
  readonly order: RestartOrder | null
  /** A person or the system wanted it to end, and said so to us. */
  readonly isAskedToEnd: boolean
}

export interface RestartLimits {
  /** A life shorter than this counts as failed. */
  readonly quickMs: number
  /** Wait before the first repetition; it doubles. */
  readonly backoffMs: number
  readonly mostQuick: number
}

export const RESTART_LIMITS: RestartLimits = { quickMs: 10_000, backoffMs: 1000, mostQuick: 5 }

export interface Lives {
  /** How often it was started again. */
  readonly restarts: number
  /** Quick ends in a row. */
  readonly quick: number
  /** What the present life was told to go on with. */
  readonly prompt: string | null
}

export const FIRST_LIFE: Lives = { restarts: 0, quick: 0, prompt: null }

export type Plan =
  | { readonly kind: 'end'; readonly exitCode: number; readonly why: string | null }
  | { readonly kind: 'restart'; readonly delayMs: number; readonly why: string; readonly lives: Lives }

export function planRestart(lives: Lives, ending: Ending, limits: RestartLimits): Plan {
  const exitCode = exitCodeOf(ending)
  if (ending.isAskedToEnd) return { kind: 'end', exitCode, why: null }
  const isQuick = ending.livedMs < limits.quickMs
  const isCrash = ending.signal !== null || (exitCode !== 0 && isQuick && lives.restarts > 0)
  if (ending.order === null && !isCrash) return { kind: 'end', exitCode, why: null }
  const quick = isQuick ? lives.quick + 1 : 0
  if (quick >= limits.mostQuick) {
    const seconds = limits.quickMs / 1000
    return { kind: 'end', exitCode, why: `it ended ${quick} times within ${seconds} s of its start, last by ${describe(ending)}` }
  }
  return {
    kind: 'restart',
    delayMs: quick < 2 && ending.order !== null ? 0 : limits.backoffMs * 2 ** Math.max(0, quick - 1),
    why: ending.order === null ? `it crashed (${describe(ending)})` : ending.order.reason,
    lives: { restarts: lives.restarts + 1, quick, prompt: ending.order?.prompt ?? lives.prompt },
  }
}

/** As a shell reports it. */
export function exitCodeOf({ exitCode, signal }: Pick<Ending, 'exitCode' | 'signal'>): number {
  return exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

function describe(ending: Ending): string {
  return ending.signal ?? `exit ${exitCodeOf(ending)}`
}
