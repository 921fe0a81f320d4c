// The mutable context of a function hook (spec L): change toolInput, toolOutput or userPrompt in place, return a verdict or nothing.
import type { Verdict } from '../verdict/verdict.ts'
import type { HookEvent } from './hook-event.ts'
import type { HookResult } from './hook-result.ts'

export interface HookContext {
  readonly event: string
  readonly sessionId: string
  readonly cwd: string
  readonly actor: string
  readonly toolName: string | null
  readonly toolUseId: string | null
  toolInput: Record<string, unknown> | null
  /** PostToolUse: what the tool gave; may be replaced. */
  toolOutput: unknown
  readonly error: string | null
  userPrompt: string | null
  /** The host's live message list: edits are seen by the host. */
  readonly messages: unknown[]
  readonly metadata: Map<string, unknown>
  readonly signal: AbortSignal
  /** The whole event, read-only. */
  readonly source: HookEvent
  /** Tells whoever watches the run how far it got. */
  progress(text: string): void
}

/** A result without a verdict has no opinion. */
export type HookAnswer = Omit<HookResult, 'verdict' | 'isByRules'> & { readonly verdict?: Verdict }

/** As commands say that the turn ends. */
type EndAnswer = { readonly continue?: false; readonly stopReason?: string }

/** Returning nothing is `none()`. Anything else that is not a verdict or a result is reported by hook name. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is the common case
export type InlineAnswer = Verdict | (HookAnswer & EndAnswer) | undefined | null | void

export type InlineHandler = (context: HookContext) => InlineAnswer | Promise<InlineAnswer>
