// What an engine is made of, and what one firing may say about itself.
import type { HandlerOptions } from '../handler/handler-options.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { Registry } from '../registry/registry.ts'
import type { HookRun } from './fire-result.ts'
import type { Warnings } from './warnings.ts'

/** What the host of a firing has for its hooks: a model, permissions to ask. */
export type HandlerParts = Pick<HandlerOptions, 'llm' | 'ports'>

export interface RunOptions extends HandlerParts {
  readonly signal: AbortSignal
  /** How long the caller itself has, from now. */
  readonly deadlineMs?: number
  readonly mode: 'interactive' | 'batch'
  readonly onOutput?: (text: string) => void
  /** The host's live message list. */
  readonly messages?: readonly unknown[]
}

/** Runs a hook that is not a function. Never throws, never rejects. */
export type RunHandler = (hook: HookDefinition, event: HookEvent, options: RunOptions) => Promise<HandlerRun> | HandlerRun

export interface EngineParts {
  readonly registry: Registry
  readonly runHandler: RunHandler
  /** What function hooks remember from one event to the next, where the host keeps no map of its own. */
  readonly metadata: Map<string, unknown>
  readonly warnings: Warnings
}

export interface FireOptions {
  /** Cancels the hooks that are running; those not yet started count as cancelled too. */
  readonly signal?: AbortSignal
  /** How long the caller can wait for the answer. */
  readonly deadlineMs?: number
  /** batch: nobody watches, so prompt and agent hooks fail. Default interactive. */
  readonly mode?: 'interactive' | 'batch'
  /** false: no run report, for hosts that fire very often and record nothing. */
  readonly report?: boolean
  /** The host's live message list, for function hooks. */
  readonly messages?: unknown[]
  readonly metadata?: Map<string, unknown>
  /** What is going on around the event, as the host calls it: hooks that are there for nothing else take part (`HookDefinition.during`). */
  readonly during?: string
  readonly observer?: Observer
  readonly handlers?: HandlerParts
}

/** Follows the hooks of one firing while they run. */
export interface Observer {
  /** `status`: what a person may be shown while it runs (`statusMessage`); null: the hook has none. */
  started(hook: string, status: string | null): void
  output(hook: string, text: string): void
  ended(run: HookRun): void
}
