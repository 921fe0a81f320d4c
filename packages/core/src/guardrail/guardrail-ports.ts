// What guardrails need of the world around them. A guardrail whose port is missing says so when it is switched on.
import type { HookContext } from '../hook/hook-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Decision } from '../verdict/verdict.ts'
import type { SideEffectClass } from './classify-call.ts'
import type { MemoryPort } from './session-memory.ts'

export interface GuardrailPorts {
  /** What the repository around a folder stands at; null: there is none. A push of something new is not a repeat. */
  readonly revisionOf?: (folder: string) => string | null
  readonly now: () => number
  /** The project that an event belongs to. */
  rootOf(event: HookEvent): string
  /** Makes a check of a JSON Schema: what is wrong with a value, one sentence each; a schema that cannot be used is wrong with every value. */
  readonly compileSchema?: (schema: Readonly<Record<string, unknown>>) => SchemaTest
  /** Whether a call matches a permission pattern such as `Bash(git push *)`. */
  readonly matchesCall?: (pattern: string, event: HookEvent) => boolean
  /** What permissions will say to the call; absent: nothing. */
  readonly judge?: (event: HookEvent) => Decision
  /** What guardrails remember of sessions; absent: each set of hooks begins anew. */
  readonly memory?: MemoryPort
  readonly toolCalls?: ToolCallLog
  readonly files?: ArtifactFiles
  readonly harness?: HarnessPort
  readonly skills?: SkillPort
}

export type SchemaTest = (value: unknown) => Promise<readonly string[]>

export type ReplayPolicy = 'REPLAY_EXACT' | 'REPLAY_IDEMPOTENT' | 'RELAUNCH'

export interface LoggedCall {
  readonly key: string
  readonly runId: string
  readonly tool: string
  readonly sideEffect: SideEffectClass
  readonly replay: ReplayPolicy
  readonly ruleId: string | null
}

export interface KnownCall {
  readonly status: 'prepared' | 'running' | 'succeeded' | 'failed' | 'abandoned'
  readonly attempt: number
  /** What the call gave, redacted and capped; null: nothing was kept. */
  readonly receipt: string | null
  readonly at: string
}

/** Every tool call by its idempotency key. */
export interface ToolCallLog {
  /** The work a call belongs to: the effort, else the session. */
  runIdOf(context: HookContext): string
  find(key: string): Promise<KnownCall | null>
  /** running: it is about to run, one more attempt where the key is known. prepared: somebody may still say no. */
  begin(call: LoggedCall, status: 'prepared' | 'running', context: HookContext): Promise<void>
  /** Also of a call that was never begun. */
  end(call: LoggedCall, ending: CallEnding, context: HookContext): Promise<void>
}

export interface CallEnding {
  readonly status: 'succeeded' | 'failed' | 'abandoned'
  readonly receipt: string | null
  readonly durationMs: number | null
}

export interface ArtifactFile {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
}

export interface ArtifactFiles {
  /** The files below `root` that a path glob matches. */
  find(root: string, pattern: string): Promise<readonly ArtifactFile[]>
  read(root: string, path: string): Promise<string>
  remove(root: string, path: string): Promise<void>
}

export interface HarnessState {
  readonly iteration: number
  readonly state: 'active' | 'handed_over' | 'done' | 'given_up'
  /** Stops refused in a row in this very session. */
  readonly held: number
  readonly session: string
  readonly problems: readonly string[]
  readonly updatedAt: string
}

export interface HarnessPort {
  /** The loop that a session works in; it outlives the session. */
  keyOf(context: HookContext): string
  load(key: string): Promise<HarnessState | null>
  /** Resolves when it is on disk. */
  save(key: string, state: HarnessState): Promise<void>
  /** What does not pass, one sentence each. */
  verify(commands: readonly string[], context: HookContext): Promise<readonly string[]>
  /** Another process will start the next iteration; false: there is none. */
  handOver(key: string, prompt: string, context: HookContext): Promise<boolean>
  /** The last thing the agent said, where the event does not carry it. */
  lastMessage?(context: HookContext): Promise<string | null>
}

export interface SkillDocument {
  readonly name: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly file: string
}

export interface SkillPort {
  list(root: string): Promise<readonly SkillDocument[]>
  read(file: string): Promise<string>
}
