// One permission rule, whatever spelling it came in.
import type { Diagnostic, Place } from '../verdict/place.ts'

export type RuleEffect = 'allow' | 'ask' | 'deny'

/** Whose spelling the rule text is in; decides what `?`, `:*`, bare commands and path anchors mean. */
export type RuleDialect = 'genesis' | 'claude' | 'opencode' | 'gemini' | 'factory' | 'cursor'

/** Groups of commands that an allow list can name. */
export const COMMAND_GROUPS = ['read-only'] as const

export type CommandGroup = (typeof COMMAND_GROUPS)[number]

export type RuleSpec =
  /** `Bash(git *)`: a pattern over the words of a unit. */
  | { readonly kind: 'command'; readonly pattern: string }
  /** `Bash(@read-only)`: a named group of commands. */
  | { readonly kind: 'group'; readonly name: CommandGroup }
  /** `Write(src/*)`, `Read(//etc/**)`: a pattern over a path. */
  | { readonly kind: 'path'; readonly anchor: 'name' | 'root' | 'absolute' | 'home'; readonly pattern: string }
  /** `WebFetch(domain:*.x)`. */
  | { readonly kind: 'domain'; readonly pattern: string }
  /** `Bash(run_in_background:true)`, `Agent(subagent_type:x)`. */
  | { readonly kind: 'parameter'; readonly name: string; readonly pattern: string }
  /** Any other argument: a pattern over the tool's main string (`Task(executor)`, `Skill(x)`). */
  | { readonly kind: 'text'; readonly pattern: string }

export interface Rule {
  /** Given in the policy, else made from file and line or position (`deny-3`). Unique in a policy. */
  readonly id: string
  readonly effect: RuleEffect
  /** As written. */
  readonly text: string
  readonly dialect: RuleDialect
  /** `A|B` gives several; each may hold `*`. */
  readonly tools: readonly string[]
  /** null: every call of the tool. */
  readonly spec: RuleSpec | null
  readonly place?: Place
  /** What a denied agent is told instead of the standard sentence. */
  readonly message?: string
}

export interface RuleSource {
  readonly effect: RuleEffect
  readonly dialect: RuleDialect
  readonly id?: string
  readonly place?: Place
  readonly message?: string
}

export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: Diagnostic }

/** What "no rule matched" means. */
export type DefaultDecision = 'none' | 'ask' | 'deny' | 'allow'

/** A tool that a policy, or the program that has it, says to be a known one. */
export interface DeclaredTool {
  readonly name: string
  readonly as: string
  /** A policy that nobody has trusted can only tighten. */
  readonly isTrusted: boolean
}

/** The rules that hold for one actor, already merged over files. */
export interface Permissions {
  readonly allow: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly deny: readonly Rule[]
  readonly default: DefaultDecision
  /** Identity of the policy that these came from; goes into every record. */
  readonly hash: string
  /** Files whose allow rules would speak of this actor and do not hold, because nobody has trusted them. */
  readonly untrusted?: readonly string[]
  /** The same of files that stand beside the policy of a team. */
  readonly overruled?: readonly string[]
  /** Tools that nobody described, as the policies describe them. */
  readonly declared?: readonly DeclaredTool[]
}
