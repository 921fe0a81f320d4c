// What differs from one agent's configuration to the next. A dialect is data: one file each under agent/, one loader for all.

import type { AgentId } from '../agent/agents.ts'
import type { MatcherDialect } from '../hook/hook-definition.ts'
import type { HookShape } from './walk-hooks.ts'

export type DialectId =
  | 'claude'
  | 'codex'
  | 'gemini'
  | 'qwen'
  | 'cursor'
  | 'copilot'
  | 'windsurf'
  | 'devin'
  | 'kiro'
  | 'factory'
  | 'opencode'
  | 'augment'
  | 'codebuddy'
  | 'iflow'
  | 'genesis'
  | 'hooks-toml'
  | 'belay'

export interface Dialect {
  readonly id: DialectId
  /** For people. */
  readonly name: string
  /** Whose event names these are; the adapter's table brings them to canonical ones. */
  readonly agent: AgentId
  /** Event names its files use. */
  readonly events: readonly string[]
  /** Names that the adapter's table does not hold. */
  readonly canonical?: Readonly<Record<string, string>>
  /** Whether a comment or a trailing comma makes it skip the whole file. */
  readonly json: 'strict' | 'jsonc'
  /** Unit of a plain `timeout`; keys that name their unit (`timeoutSec`, `timeout_ms`) say it themselves. */
  readonly timeUnit: 's' | 'ms'
  /** Null: it has no matchers, one there is ignored. */
  readonly matcher: MatcherDialect | null
  /** The shapes it runs. */
  readonly shapes: readonly HookShape[]
  /** Events may stand at the top of the file. */
  readonly unwrapped: boolean
  /** Handler types it runs. */
  readonly types: readonly string[]
  /** Events that take fewer handler types. */
  readonly typesOn?: ReadonlyMap<string, readonly string[]>
  /** A handler without `type` is a command. */
  readonly untyped: boolean
  /** Keys among its events that are records of its own. */
  readonly records?: readonly string[]
  readonly signs: DialectSigns
}

/** How a file of this dialect is recognised. */
export interface DialectSigns {
  /** The agent's real place for it. */
  readonly path: RegExp
  /** Keys at the top of the file that only this agent has. */
  readonly keys?: readonly string[]
  /** Keys of a handler that only this agent has. */
  readonly handlerKeys?: readonly string[]
  /** Its variables and folders, anywhere in the text. */
  readonly text?: RegExp
}

export function words(text: string): readonly string[] {
  return text.split(' ')
}
