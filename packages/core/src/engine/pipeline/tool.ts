// A tool of an agent written in TypeScript, and what came of calling it.
import type { ToolKind } from '../../match/tool/tool-kind.ts'
import type { HookRun, Rewrite } from '../fire-result.ts'

export type ToolInput = Readonly<Record<string, unknown>>

export interface Tool<Input extends ToolInput = ToolInput> {
  readonly name: string
  /** What it is, where its name does not say so: a tool of the kind `shell` is judged by the rules for Bash, and so on. */
  readonly kind?: ToolKind
  /** Any Standard Schema (zod, valibot, arktype ...); what it makes of the input is what hooks and the tool see. */
  readonly schema?: StandardSchema<Input>
  isEnabled?(): boolean | Promise<boolean>
  /** Checks beyond the schema. A text says what is wrong; nothing: the input is fine. */
  validate?(input: Input): Checked | Promise<Checked>
  /** Checked once more right before it runs, on the final input, whatever `revalidate` says. */
  validateBeforeExecute?(input: Input): Checked | Promise<Checked>
  execute(input: Input, context: ToolContext): unknown
}

// biome-ignore lint/suspicious/noConfusingVoidType: a check that finds nothing returns nothing
export type Checked = string | null | undefined | void

export interface ToolContext {
  readonly toolUseId: string
  readonly signal: AbortSignal | undefined
}

/** The part of https://standardschema.dev that is needed here. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    validate(value: unknown): SchemaResult<Output> | Promise<SchemaResult<Output>>
  }
}

type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** unknown, disabled, invalid, denied: the tool did not run. replayed: it had run before, and its output is that of then. */
export type ToolStatus = 'succeeded' | 'replayed' | 'failed' | 'denied' | 'invalid' | 'disabled' | 'unknown' | 'cancelled'

export interface ToolResult {
  readonly status: ToolStatus
  readonly tool: string
  readonly toolUseId: string
  /** As the tool got it, or would have. */
  readonly input: ToolInput
  /** What the tool gave, as the hooks left it. */
  readonly output: unknown
  /** Why it did not succeed; null where it did. */
  readonly reason: string | null
  /** What the tool threw. */
  readonly error: unknown
  /** Texts that hooks have for the model. */
  readonly context: readonly string[]
  /** Texts that hooks have for the person. */
  readonly messages: readonly string[]
  /** A hook ends the turn. */
  readonly stop: { readonly reason: string } | null
  readonly rewrites: readonly Rewrite[]
  /** Every hook that ran, where somebody asked for it (`onHook`). */
  readonly runs: readonly HookRun[]
}

/** What the model reads: the output, or why there is none, and what hooks add. */
export function renderToolResult({ status, output, reason, context }: ToolResult): string {
  return [status === 'succeeded' || status === 'replayed' ? renderOutput(output) : renderReason(status, reason ?? status), ...context].join(
    '\n\n',
  )
}

function renderOutput(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

function renderReason(status: ToolStatus, reason: string): string {
  return status === 'denied' ? `Tool denied: ${reason}` : `Tool ${status}: ${reason}`
}
