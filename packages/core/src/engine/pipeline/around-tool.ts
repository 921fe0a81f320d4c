// The two halves of a tool call, for hosts that run their tools themselves and only ask before and tell after.
import type { ToolKind } from '../../match/tool/tool-kind.ts'
import { type Passage, passLifecycle } from './lifecycle.ts'
import { passCall } from './pass-call.ts'
import type { CallOptions, PipelineParts } from './pipeline-parts.ts'
import type { ToolInput } from './tool.ts'

export interface BeforeTool {
  readonly isRefused: boolean
  readonly reason: string | null
  /** As hooks and approvers left it. */
  readonly input: ToolInput
  readonly isRewritten: boolean
  readonly context: readonly string[]
}

export interface BeforeToolOptions extends CallOptions {
  /** What the tool is, where its name and input do not say. */
  readonly kind?: ToolKind
}

export async function beforeTool(
  parts: PipelineParts,
  name: string,
  given: ToolInput,
  { kind, ...options }: BeforeToolOptions = {},
): Promise<BeforeTool> {
  if (!parts.gate.isWatched('PreToolUse')) return { isRefused: false, reason: null, input: given, isRewritten: false, context: [] }
  const tool = { name, execute: () => undefined, ...(kind === undefined ? {} : { kind }) }
  const { refused, input, guarded } = await passCall(parts, { tool, input: given, toolUseId: options.toolUseId ?? parts.nextId(), options })
  return {
    isRefused: refused !== null,
    reason: refused?.reason ?? null,
    input,
    isRewritten: input !== given,
    context: guarded.flatMap(({ fired }) => fired.context),
  }
}

export interface EndedTool {
  readonly tool: string
  readonly input: ToolInput
  readonly output?: unknown
  /** Present: it failed. */
  readonly error?: string
  readonly durationMs?: number
}

/** A deny cannot undo the call: its reason is for the model. */
export async function afterTool(
  parts: PipelineParts,
  { tool, input, output, error, durationMs }: EndedTool,
  options: CallOptions = {},
): Promise<Passage & { readonly output: unknown }> {
  const common = { toolName: tool, toolInput: input, toolUseId: options.toolUseId ?? null, durationMs: durationMs ?? null }
  const name = error === undefined ? 'PostToolUse' : 'PostToolUseFailure'
  const payload = error === undefined ? { ...common, toolResponse: output } : { ...common, error }
  const { passage, fields } = await passLifecycle(parts, name, payload, options)
  const context = passage.reason === null ? passage.context : [...passage.context, passage.reason]
  return { ...passage, context, output: error === undefined ? fields.toolResponse : null }
}
