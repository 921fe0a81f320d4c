// How long one run of a hook may take: the smaller of what the hook says and what the caller has left.
import type { Handler, HookDefinition } from '../hook/hook-definition.ts'
import type { Ends } from './deadline.ts'
import type { HandlerOptions } from './handler-options.ts'

const DEFAULT_MS: Readonly<Record<Handler['type'], number>> = {
  command: 600_000,
  http: 30_000,
  prompt: 30_000,
  agent: 60_000,
  mcp_tool: 600_000,
  builtin: 600_000,
  inline: 600_000,
}

export const BACKGROUND_MS = 15_000

/** What the caller needs to fold, record and answer after the last hook gave up. */
const MARGIN_MS = 100

/** The longest delay a timer can hold. */
const MAX_MS = 2 ** 31 - 1

/** All that can end a run from outside. */
export function endsOf(hook: HookDefinition, options: HandlerOptions): Ends {
  return { limitMs: limitOf(hook, options), signal: options.signal, stop: options.stop }
}

/** Zero or less: there is no time left to start it. */
export function limitOf(hook: HookDefinition, options: HandlerOptions): number {
  if (hook.async) return Math.min(hook.timeoutMs ?? BACKGROUND_MS, MAX_MS)
  const own = hook.timeoutMs ?? DEFAULT_MS[hook.handler.type]
  const left = options.deadlineMs === undefined ? MAX_MS : options.deadlineMs - MARGIN_MS
  return Math.min(own, left, MAX_MS)
}
