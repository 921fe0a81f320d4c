// What the handling of events works with. One object, made when the daemon starts.

import type { SkillBook } from '../config/skill.ts'
import type { Store } from '../store/store.ts'
import type { Bindings } from './agent-binding.ts'
import type { DirectiveOptions } from './directive.ts'
import type { Runs } from './run.ts'
import type { WorkRows } from './work-rows.ts'

export interface WorkParts {
  readonly store: Store
  readonly rows: WorkRows
  readonly skills: SkillBook
  readonly runs: Runs
  readonly bindings: Bindings
  readonly directives: DirectiveOptions
  readonly belayHome: string
  readonly userHome: string
  /** The PATH of the person whose daemon it is: that of their agents' shells too, as far as anybody knows. */
  readonly path: string | null
  /** How an agent calls Belay in its shell. */
  readonly command: string
  /** Tokens of an agent's window where its status line has not said: as configured, else as its transcript says, else the usual one. */
  contextWindowOf(agentKind: string, said: number | null): number
  /** Takes secrets out of what is kept as a message. */
  redact(text: string): string
  /** The same for JSON of any shape. */
  redactValue(value: unknown): unknown
  /** Names become keys of rows: what a secret in one is replaced by. */
  cleanName(name: string): string
  publish(type: string, data: unknown): void
  /** The state could not be read or written: the agent goes on, people are told. */
  onFailure(error: unknown): void
  readonly now: () => number
}
