// What firing an event gives back, and the report of how it came about.
import type { RewriteTarget } from '../event/event-spec.ts'
import type { Handler, Scope } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Evidence, Outcome, RunDetail } from '../hook/hook-result.ts'
import type { LeftOutReason } from '../registry/plan.ts'
import type { Place } from '../verdict/place.ts'
import type { Verdict } from '../verdict/verdict.ts'

export interface FireResult {
  readonly verdict: Verdict
  /** The event after all rewrites; the very object that came in where nothing was rewritten. */
  readonly event: HookEvent
  readonly rewrites: readonly Rewrite[]
  /** Texts for the model, in the order of the hooks. */
  readonly context: readonly string[]
  /** Texts for the person. */
  readonly messages: readonly string[]
  readonly evidence: readonly Evidence[]
  readonly stop: { readonly reason: string } | null
  readonly suppressOutput: boolean
  readonly report: RunReport
  /** Runs that go on after the answer; none of them rejects. */
  readonly background: readonly Promise<HookRun>[]
}

export interface Rewrite {
  readonly hook: string
  readonly scope: Scope
  readonly target: RewriteTarget
  readonly before: unknown
  readonly after: unknown
  /** SHA-256 of the canonical JSON; worked out when first read. */
  readonly beforeHash: string
  readonly afterHash: string
  /** The hook of the same group whose rewrite this one replaced. */
  readonly conflictsWith?: string
}

export interface RunReport {
  readonly runs: readonly HookRun[]
  readonly skipped: readonly SkippedHook[]
  /** What hooks said that the event, their scope or their kind does not let them say. */
  readonly dropped: readonly DroppedAnswer[]
}

export interface HookRun {
  readonly hook: string
  readonly scope: Scope
  readonly handler: Handler['type']
  readonly place?: Place
  readonly outcome: Outcome
  /** What it contributed, after what it may not say was dropped. */
  readonly verdict: Verdict
  /** Milliseconds since the epoch. */
  readonly startedMs: number
  readonly durationMs: number
  /** Why it failed or was cancelled. */
  readonly error?: string
  readonly code?: string
  readonly detail?: RunDetail
  /** It took longer than its budget. */
  readonly overBudget?: true
  /** It went on in the background; its end is in `background`. */
  readonly detached?: true
}

export type SkipReason = LeftOutReason | 'matcher' | 'only-if' | 'condition' | 'once' | 'after-deny'

export interface SkippedHook {
  readonly hook: string
  readonly scope: Scope
  readonly why: SkipReason
}

export interface DroppedAnswer {
  readonly hook: string
  readonly what: 'allow' | 'ask' | 'deny' | `rewrite ${RewriteTarget}` | 'context' | 'stop'
  readonly why: string
}
