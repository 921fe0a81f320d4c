// Filled by the engine: the mutable context a function hook gets, and what it may return.
import type { Verdict } from '../verdict/verdict.ts'

export interface HookContext {
  readonly event: string
  readonly sessionId: string
  readonly signal: AbortSignal
}

export type InlineHandler = (context: HookContext) => Verdict | undefined | null | Promise<Verdict | undefined | null>
