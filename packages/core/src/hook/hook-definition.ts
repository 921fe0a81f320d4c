// What a hook is, wherever it came from. Loaders produce these, the registry holds them, handlers run them.

import type { Place } from '../verdict/place.ts'
import type { InlineHandler } from './hook-context.ts'

/** Scopes run one after another in this order; a deny ends what comes after. */
export type Scope = 'policy' | 'plugin' | 'session' | 'skill'

export type FailMode = 'open' | 'closed' | 'ask'

/** Whose rules a matcher text follows (docs/semantics.md, section 4). */
export type MatcherDialect = 'genesis' | 'toml' | 'claude' | 'codex' | 'gemini' | 'copilot' | 'library'

export interface MatcherText {
  readonly dialect: MatcherDialect
  readonly text: string
}

/** Whose exit codes and answers a command hook speaks (docs/semantics.md, section 5). */
export type CommandDialect = 'settings' | 'toml' | 'genesis'

export interface CommandHandler {
  readonly type: 'command'
  readonly command: string
  /** Exec form: no shell, `command` is the program. */
  readonly args?: readonly string[]
  readonly dialect: CommandDialect
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly shell?: 'bash' | 'powershell' | 'sh'
  /** hooks.toml: whether the event goes to stdin, whether stdout is read. Other dialects always do both. */
  readonly passContext?: boolean
  readonly parseResult?: boolean
}

export interface HttpHandler {
  readonly type: 'http'
  readonly url: string
  readonly method: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  /** Names that `${VAR}` in headers may use; `HOOK_*` style globs allowed. */
  readonly allowedEnv: readonly string[]
}

export interface LlmHandler {
  readonly type: 'prompt' | 'agent'
  readonly prompt: string
  readonly model?: string
}

export interface McpHandler {
  readonly type: 'mcp_tool'
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export type BuiltinName =
  | 'genesis_enforcement'
  | 'evidence_capture'
  | 'approval_gate'
  | 'deny'
  | 'modify'
  | 'resource_check'
  | 'input_sanitization'
  | 'ledger_annotation'
  | 'format_output'
  | 'final_validation'

export interface BuiltinHandler {
  readonly type: 'builtin'
  readonly builtin: BuiltinName
  readonly config: Readonly<Record<string, unknown>>
}

export interface InlineHandlerRef {
  readonly type: 'inline'
  readonly run: InlineHandler
}

export type Handler = CommandHandler | HttpHandler | LlmHandler | McpHandler | BuiltinHandler | InlineHandlerRef

export interface HookDefinition {
  readonly event: string
  readonly handler: Handler
  readonly scope: Scope
  readonly name?: string
  /** Absent: every occurrence of the event. */
  readonly matcher?: MatcherText | RegExp | ((value: string) => boolean)
  /** Claude's `if`: one permission rule that the call must match. */
  readonly onlyIf?: string
  /** CEL over event, actor, commitment, session, effort. */
  readonly condition?: string
  /** A host's own hook that takes part only where the firing says the same word (`FireOptions.during`): else it is neither run nor reported. */
  readonly during?: string
  readonly once?: boolean
  readonly async?: boolean
  readonly timeoutMs?: number
  /** How long it should take at most; going over is recorded, nothing more. genesis.key hooks have 50. */
  readonly budgetMs?: number
  /** Default: closed in policy scope, open elsewhere. */
  readonly fail?: FailMode
  /** How hooks of one event and scope run together. Default by source: genesis and library sequence, settings and hooks.toml group. */
  readonly order?: 'sequence' | 'group'
  readonly statusMessage?: string
  readonly place?: Place
}
