// One occurrence of an event on its way through the hooks: what it is made of and how far it has come.
import { findEvent } from '../event/table.ts'
import type { HostState } from '../handler/inline-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Plan } from '../registry/plan.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import type { FireResult, HookRun, SkippedHook } from './fire-result.ts'
import type { Flight } from './flight.ts'
import { createTally, type FoldRules, type Tally } from './fold-answer.ts'

export interface Firing {
  readonly parts: EngineParts
  readonly options: FireOptions
  readonly isReported: boolean
  readonly host: HostState
  readonly rules: FoldRules
  readonly plan: Plan
  /** By performance.now(). */
  readonly deadlineAt: number
  readonly tally: Tally
  readonly runs: HookRun[]
  readonly skipped: SkippedHook[]
  readonly background: Promise<HookRun>[]
  nextBatch: number
  /** The hooks of the current batch, in position order, while at least one of them has not answered. */
  flights: readonly Flight[]
  pending: number
  cancelled: 'timeout' | 'aborted' | null
  resolve: ((result: FireResult) => void) | null
}

export function createFiring(parts: EngineParts, event: HookEvent, options: FireOptions): Firing {
  const { registry } = parts
  const spec = findEvent(event.name)
  return {
    parts,
    options,
    isReported: options.report !== false || options.observer !== undefined,
    host: { messages: options.messages ?? [], metadata: options.metadata ?? parts.metadata },
    rules: { spec, modifyFrom: registry.settings.modifyFrom },
    plan: registry.planFor(spec === null ? event.name : spec.name),
    deadlineAt: options.deadlineMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.deadlineMs,
    tally: createTally(event),
    runs: [],
    skipped: [],
    background: [],
    nextBatch: 0,
    flights: [],
    pending: 0,
    cancelled: options.signal?.aborted ? 'aborted' : null,
    resolve: null,
  }
}
