// What firing an event gives back, and the report of how it came about.
import type { RewriteTarget } from '../event/event-spec.ts'
import type { Handler, Scope } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Evidence, ForAgent, Outcome, RunDetail } from '../hook/hook-result.ts'
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
  /** Those of them that tell of a hook that failed and was let through. */
  readonly warnings?: readonly string[]
  readonly evidence: readonly AttributedEvidence[]
  readonly stop: StopOrder | null
  readonly suppressOutput: boolean
  readonly forAgent?: ForAgent
  /** The verdict of the hooks is what a genesis_enforcement hook found the permissions to say. */
  readonly isByRules?: boolean
  readonly report: RunReport
  /** Runs that go on after the answer; none of them rejects. */
  readonly background: readonly Promise<HookRun>[]
}

/** A hook ends the turn. */
export interface StopOrder {
  readonly reason: string
  /** Which one; absent where another process decided. */
  readonly hook?: string
}

/** Evidence, and who handed it over. */
export interface AttributedEvidence extends Evidence {
  readonly hook: string
  readonly scope: Scope
  readonly place?: Place
  /** Of a hook that Belay itself brings along. */
  readonly isBuiltin: boolean
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
  /** What it handed over after its event was answered; of other runs it stands in the result. */
  readonly evidence?: AttributedEvidence
}

export type SkipReason = LeftOutReason | 'matcher' | 'only-if' | 'condition' | 'once' | 'after-deny'

export interface SkippedHook {
  readonly hook: string
  readonly scope: Scope
  readonly why: SkipReason
}

export interface DroppedAnswer {
  readonly hook: string
  readonly what: 'allow' | 'ask' | 'deny' | `rewrite ${RewriteTarget}` | 'context' | 'stop' | 'retry'
  readonly why: string
}
