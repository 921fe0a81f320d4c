// One occurrence of an event on its way through the hooks: what has been said so far and where it stands. How it goes on is in run-plan.ts.
import type { HookEvent } from '../hook/hook-event.ts'
import type { Plan } from '../registry/plan.ts'
import { none, type Verdict } from '../verdict/verdict.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import type { FireResult, HookRun, SkippedHook } from './fire-result.ts'
import type { Said, Tally } from './fold-answer.ts'
import type { PendingHook } from './pending-hook.ts'
import type { SequentialRunner } from './sequential-runner.ts'

export type CancelReason = 'timeout' | 'aborted'

/** A `batchStart` that no rewrite can reach: a hook outside a group is in conflict with nobody. Small enough to need no memory of its own. */
export const ALONE = 2 ** 30

/** Small on purpose: an agent fires often, and most hooks have nothing to say. */
export interface Firing extends Tally {
  readonly parts: EngineParts
  readonly options: FireOptions
  readonly plan: Plan
  readonly isReported: boolean
  /** Nobody wants a report, a deadline or a way to cancel: there is nothing to look at between hooks. */
  readonly isQuick: boolean
  /** By performance.now(); null: the caller waits. */
  readonly deadlineAt: number | null
  cancelled: CancelReason | null
  nextBatch: number
  log: Log | null
  /** The hook of a sequence that has not answered yet; null while everything is synchronous. */
  runner: SequentialRunner | null
  /** The hooks of a group of which at least one has not answered yet. */
  group: readonly PendingHook[] | null
  resolve: ((result: FireResult) => void) | null
}

/** What is written down while hooks run. */
export interface Log {
  readonly runs: HookRun[]
  readonly skipped: SkippedHook[]
  readonly background: Promise<HookRun>[]
}

export function createFiring(parts: EngineParts, event: HookEvent, options: FireOptions): Firing {
  const { signal, deadlineMs, during, observer, report } = options
  const isReported = report !== false || observer !== undefined
  return {
    parts,
    options,
    plan: parts.registry.planFor(event.name, during),
    isReported,
    isQuick: !isReported && deadlineMs === undefined && signal === undefined,
    deadlineAt: deadlineMs === undefined ? null : performance.now() + deadlineMs,
    event,
    verdict: none() as Verdict,
    said: null as Said | null,
    batchStart: ALONE,
    cancelled: signal?.aborted ? 'aborted' : null,
    nextBatch: 0,
    log: null,
    runner: null,
    group: null,
    resolve: null,
  }
}

export function openLog(firing: Firing): Log {
  firing.log ??= { runs: [], skipped: [], background: [] }
  return firing.log
}
