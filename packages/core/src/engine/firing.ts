// One occurrence of an event on its way through the hooks: what has been said so far and where it stands. How it goes on is in drive.ts.
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { Plan } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { none, type Verdict } from '../verdict/verdict.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import type { FireResult, HookRun, SkippedHook } from './fire-result.ts'
import type { Flight } from './flight.ts'
import type { Said, Tally } from './fold-answer.ts'
import type { Stopper } from './start-hook.ts'
import { timeLeftFor } from './time-left.ts'
import type { Watched } from './watch.ts'

export type CancelReason = 'timeout' | 'aborted'

/** A `batchStart` that no rewrite can reach: a hook outside a group is in conflict with nobody. */
export const ALONE = Number.MAX_SAFE_INTEGER

const NO_GROUP: readonly Flight[] = []

/** One object for everything, fields in one order: an agent fires often, and most hooks have nothing to say. */
export class Firing implements Tally, Watched {
  declare readonly parts: EngineParts
  declare readonly options: FireOptions
  declare readonly plan: Plan
  declare readonly isReported: boolean
  /** Nobody wants a report, a deadline or a way to cancel: there is nothing to look at between hooks. */
  declare readonly isQuick: boolean
  /** By performance.now(). */
  declare readonly deadlineAt: number
  declare event: HookEvent
  declare verdict: Verdict
  declare said: Said | null
  declare batchStart: number
  declare cancelled: CancelReason | null
  declare nextBatch: number
  declare runs: HookRun[] | null
  declare skipped: SkippedHook[] | null
  declare background: Promise<HookRun>[] | null
  /** The hooks of a group of which at least one has not answered yet. */
  declare group: readonly Flight[]
  declare resolve: ((result: FireResult) => void) | null

  /** The hook of a sequence that has not answered yet (lane.ts). */
  declare hook: RegisteredHook | null
  declare stopper: Stopper | null
  declare startedAt: number
  declare onValue: ((value: InlineAnswer | HandlerRun) => void) | null
  declare onError: ((error: unknown) => void) | null
  declare onExpired: ((firing: Firing) => void) | null
  /** Counts the hooks that were given up: what they answer later is not heard. */
  declare turn: number
  declare dueAt: number
  declare previous: Watched | null
  declare next: Watched | null

  constructor(parts: EngineParts, event: HookEvent, options: FireOptions) {
    const { signal, deadlineMs, observer, report } = options
    this.parts = parts
    this.options = options
    this.plan = parts.registry.planFor(event.name)
    this.isReported = report !== false || observer !== undefined
    this.isQuick = !this.isReported && deadlineMs === undefined && signal === undefined
    this.deadlineAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + deadlineMs
    this.event = event
    this.verdict = none()
    this.said = null
    this.batchStart = ALONE
    this.cancelled = signal?.aborted ? 'aborted' : null
    this.nextBatch = 0
    this.runs = null
    this.skipped = null
    this.background = null
    this.group = NO_GROUP
    this.resolve = null
    this.hook = null
    this.stopper = null
    this.startedAt = 0
    this.onValue = null
    this.onError = null
    this.onExpired = null
    this.turn = 0
    this.dueAt = 0
    this.previous = null
    this.next = null
  }

  timeLeftMs(): number {
    return this.hook === null ? Number.POSITIVE_INFINITY : timeLeftFor(this.hook, this.deadlineAt)
  }

  expire(): void {
    this.onExpired?.(this)
  }
}
