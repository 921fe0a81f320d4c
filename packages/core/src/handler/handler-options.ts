// What a handler may use beyond the hook and the event. Everything that is not data comes in here, so that handlers are tested with real parts.
import type { BuiltinPorts } from './builtin/ports.ts'
import type { LlmProvider } from './llm.ts'
import type { McpCaller } from './mcp.ts'

export interface HandlerOptions {
  /** Ends the run: the hook is stopped and its run is `cancelled`. Hooks in the background do not listen. */
  readonly signal?: AbortSignal
  /** A person ends this one run, also one in the background: it is `cancelled` as stopped. */
  readonly stop?: AbortSignal
  /** How long the caller itself has, from now. */
  readonly deadlineMs?: number
  /** batch: nobody watches; prompt and agent hooks fail there. Default interactive. */
  readonly mode?: 'interactive' | 'batch'
  /** What a command prints on stderr while it runs, for whoever watches; the kept part only. */
  readonly onOutput?: (text: string) => void
  /** Where PATH, HOME and header variables come from. Default: this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Private addresses that http hooks may call, as `host` or `host:port`. */
  readonly allowPrivate?: readonly string[]
  readonly llm?: LlmProvider
  /** The conversation so far, where the host has it. */
  readonly messages?: readonly unknown[]
  readonly mcp?: McpCaller
  readonly ports?: BuiltinPorts
}
