// What the permission engine is asked and what it answers. `judge` (judge.ts) is the one function behind permission checks,
// `Tool(spec)` matchers, `decide --batch`, `explain` and the genesis_enforcement hook.
import type { FileView } from '../match/path/file-view.ts'
import type { Span } from '../match/shell/shell-analysis.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { CommandMemory } from './command-memory.ts'
import type { Rule } from './rule.ts'

export interface ToolCall {
  /** Canonical name (`Bash`), or the agent's own where there is no canonical one. */
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** What the program that has the tool says that it is. */
  readonly kind?: string
}

export interface JudgeContext {
  readonly root: string
  readonly cwd: string
  readonly home: string
  readonly files: FileView
  /** Where Belay keeps its state; protected from agents. */
  readonly belayHome: string
  /** Files and directories that Belay itself runs from; protected too. */
  readonly ownFiles?: readonly string[]
  /** What Belay is run by and loads: its interpreter and libraries. A change of these asks. */
  readonly neededFiles?: readonly string[]
  /** Extra harmless assignment names, trusted program directories. */
  readonly harmlessEnv?: readonly string[]
  readonly trustedDirs?: readonly string[]
  /** Default: not Windows. */
  readonly platform?: string
  /** Self-protection acts whenever a policy is in force. */
  readonly selfProtection: boolean
  /** All that is asked is whether a call is let through: the first command of a line that is not settles it. Never where a person is told why. */
  readonly stopsAtRefusal?: boolean
  /** What is known of commands that came before; set by a judge that remembers. */
  readonly commands?: CommandMemory
}

/** How one part of the call (a unit of a command, a file effect, the whole call) was judged. */
export interface PartJudgement {
  readonly what: 'unit' | 'effect' | 'call'
  readonly source: string
  /** The normal form that rules were compared with. */
  readonly normal: string
  readonly span: Span | null
  readonly decision: 'allow' | 'ask' | 'deny' | 'neutral' | 'default'
  /** must: for every value of its unknown parts; may: for some. */
  readonly match: 'must' | 'may' | null
  readonly rule: Rule | null
  readonly reason: string
  readonly path?: { readonly lexical: string; readonly real: string | null }
}

export interface Judgement {
  readonly verdict: Verdict
  /** The rule that decided, when one did. */
  readonly rule: Rule | null
  /** The part that decided. */
  readonly decidedBy: PartJudgement | null
  readonly parts: readonly PartJudgement[]
  readonly parser: 'ok' | 'partial' | 'refused' | null
  readonly policyHash: string
}
