// What a hook said, and how its run went. A handler never throws: it returns a HandlerRun.
import type { Verdict } from '../verdict/verdict.ts'

export interface Evidence {
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What only the agent itself acts on. */
export interface ForAgent {
  /** After a tool: facts for the agent's own classifier of permissions (Claude Code, in auto mode). */
  readonly classifierContext?: string
  /** After the agent refused a call by itself: its model may try again. */
  readonly retry?: boolean
}

export interface HookResult {
  readonly verdict: Verdict
  /** Replaces the whole value; which of them an event allows is in its row of the event table. */
  readonly rewrite?: {
    readonly input?: Readonly<Record<string, unknown>>
    readonly prompt?: string
    readonly output?: unknown
  }
  /** Text for the model. */
  readonly context?: string
  /** Text for the person. */
  readonly message?: string
  /** Ends the turn. */
  readonly stop?: { readonly reason: string }
  readonly suppressOutput?: boolean
  readonly forAgent?: ForAgent
  readonly evidence?: Evidence
  /** The verdict is what the permissions say of the call, not the hook's own. */
  readonly isByRules?: boolean
}

/** Its time was up, whoever fired the event gave up, or a person stopped this one hook. */
export type CancelReason = 'timeout' | 'aborted' | 'stopped'

export type Outcome = 'success' | 'blocking' | 'non_blocking_error' | 'cancelled'

export type HandlerRun =
  | { readonly kind: 'answered'; readonly result: HookResult; readonly detail?: RunDetail }
  /** The hook went on in the background and decides nothing; `settled` resolves when it ends or its time is up. */
  | { readonly kind: 'detached'; readonly settled: Promise<HandlerRun>; readonly detail?: RunDetail }
  | FailedRun
  | { readonly kind: 'cancelled'; readonly why: CancelReason; readonly detail?: RunDetail }

export interface FailedRun {
  readonly kind: 'failed'
  /** For whoever repairs the hook: what went wrong, what to do about it, the code. */
  readonly why: string
  /** For the model: what went wrong alone, where `why` says more. */
  readonly what?: string
  /** Names a failure that has a page in the docs. */
  readonly code?: string
  /** Told to the person where the event goes on in spite of it. */
  readonly message?: string
  readonly detail?: RunDetail
}

export interface RunDetail {
  readonly exitCode?: number | null
  readonly signal?: string | null
  readonly status?: number
  /** Capped and for people: never parsed again. */
  readonly stdout?: string
  readonly stderr?: string
  readonly truncated?: boolean
  /** What asking a model cost. */
  readonly usage?: ModelUsage
  /** What a person should know about this run besides how it ended. */
  readonly notes?: readonly string[]
}

export interface ModelUsage {
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; 0 for a model of one's own; null: its price is not known. */
  readonly usd: number | null
  /** Whose price that is: the built-in list's, the settings'; nobody's for a model that is free or has none. */
  readonly priceFrom: 'list' | 'settings' | null
  /** The answer came from the cache and cost nothing. */
  readonly cached: boolean
}
