// One call of a tool: enabled -> validation -> PreToolUse and permissions -> execute -> PostToolUse or PostToolUseFailure.
// Never rejects: whatever goes wrong is a status the agent can read. Stages that nobody watches cost nothing.

import { endOf } from '../../event/table.ts'
import { receiptOf } from '../../hook/receipt.ts'
import { errorText } from '../../value/error-text.ts'
import type { GuardedCall } from '../guard-call.ts'
import { passCall, tellDenied } from './pass-call.ts'
import { passEvent } from './pass-event.ts'
import type { CallOptions, PipelineParts } from './pipeline-parts.ts'
import type { Tool, ToolInput, ToolResult, ToolStatus } from './tool.ts'
import { findProblem, isChecked, validateInput } from './validate-input.ts'

const NO_OPTIONS: CallOptions = {}
const NOTHING: readonly never[] = Object.freeze([])

export async function runTool(parts: PipelineParts, called: string | Tool, given: ToolInput, options = NO_OPTIONS): Promise<ToolResult> {
  const tool = typeof called === 'string' ? parts.tools.get(called) : called
  const name = typeof called === 'string' ? called : called.name
  const call: Call = { name, tool, toolUseId: options.toolUseId ?? parts.nextId(), options, input: given, guarded: NOTHING }
  if (tool === undefined) return refuse(call, 'unknown', `there is no tool ${name}`)
  if (needsPassing(parts, tool)) {
    const refused = await passStages(parts, call, tool)
    if (refused !== null) return refused
  }
  if (options.signal?.aborted) return refuse(call, 'cancelled', 'the call was cancelled')
  const isTimed = parts.gate.isWatched('PostToolUse') || parts.gate.isWatched('PostToolUseFailure')
  const startedAt = isTimed ? performance.now() : 0
  let output: unknown
  try {
    output = await tool.execute(call.input, { toolUseId: call.toolUseId, signal: options.signal })
  } catch (error) {
    return afterFailure(parts, call, error, startedAt)
  }
  if (!isTimed || !parts.gate.isWatched('PostToolUse')) return finish(call, { status: 'succeeded', reason: null, output, error: null })
  return afterSuccess(parts, call, output, startedAt)
}

/** A call on its way; `input` and `guarded` grow with the stages. */
interface Call {
  readonly name: string
  readonly tool: Tool | undefined
  readonly toolUseId: string
  readonly options: CallOptions
  input: ToolInput
  guarded: readonly GuardedCall[]
}

function needsPassing({ gate }: PipelineParts, tool: Tool): boolean {
  return tool.isEnabled !== undefined || isChecked(tool) || tool.validateBeforeExecute !== undefined || gate.isWatched('PreToolUse')
}

/** Null: the tool may run, with the input the call now has. */
async function passStages(parts: PipelineParts, call: Call, tool: Tool): Promise<ToolResult | null> {
  if (tool.isEnabled !== undefined && (await isOff(tool))) return refuse(call, 'disabled', `${tool.name} is switched off`)
  if (isChecked(tool)) {
    const valid = await validateInput(tool, call.input)
    if (!valid.ok) return refuse(call, 'invalid', valid.problem)
    call.input = valid.input
  }
  if (parts.gate.isWatched('PreToolUse')) {
    const { toolUseId, options } = call
    const passed = await passCall(parts, { tool, input: call.input, toolUseId, options })
    call.input = passed.input
    call.guarded = passed.guarded
    if (passed.refused !== null) return replay(call, passed.refused.reason) ?? refuse(call, passed.refused.status, passed.refused.reason)
  }
  if (tool.validateBeforeExecute === undefined) return null
  const problem = await findProblem(final => tool.validateBeforeExecute?.(final), call.input)
  if (problem === null) return null
  await tellDenied(parts, { tool, input: call.input, toolUseId: call.toolUseId, options: call.options }, problem)
  return refuse(call, 'invalid', problem)
}

/** It has run before, and a hook knows what it gave. */
function replay(call: Call, reason: string): ToolResult | null {
  const receipt = receiptOf(call.guarded.at(-1)?.fired.evidence ?? NOTHING)
  return receipt === null ? null : finish(call, { status: 'replayed', reason, output: receipt.output, error: null })
}

async function isOff(tool: Tool): Promise<boolean> {
  try {
    return !(await tool.isEnabled?.())
  } catch {
    // A tool that cannot say whether it works does not.
    return true
  }
}

async function afterSuccess(parts: PipelineParts, call: Call, output: unknown, startedAt: number): Promise<ToolResult> {
  const { name, input, toolUseId, options } = call
  const durationMs = performance.now() - startedAt
  const payload = { toolName: name, toolInput: input, toolUseId, toolResponse: output, durationMs }
  const after = await passEvent(parts, 'PostToolUse', payload, options)
  call.guarded = [...call.guarded, after]
  return finish(call, { status: 'succeeded', reason: null, output: after.fired.event.fields.toolResponse, error: null })
}

async function afterFailure(parts: PipelineParts, call: Call, error: unknown, startedAt: number): Promise<ToolResult> {
  const { name, input, toolUseId, options } = call
  const isInterrupt = options.signal?.aborted === true
  const reason = errorText(error)
  if (parts.gate.isWatched('PostToolUseFailure')) {
    // The caller has given up; the hooks that record what happened still run.
    const { signal: _signal, ...rest } = options
    const durationMs = performance.now() - startedAt
    const payload = { toolName: name, toolInput: input, toolUseId, error: reason, isInterrupt, durationMs }
    call.guarded = [...call.guarded, await passEvent(parts, 'PostToolUseFailure', payload, rest)]
  }
  return finish(call, { status: isInterrupt ? 'cancelled' : 'failed', reason, output: null, error })
}

function refuse(call: Call, status: ToolStatus, reason: string): ToolResult {
  return finish(call, { status, reason, output: null, error: null })
}

/** Written out rather than spread: this is made for every call. */
function finish(call: Call, { status, reason, output, error }: Pick<ToolResult, 'status' | 'reason' | 'output' | 'error'>): ToolResult {
  const { name: tool, toolUseId, input, guarded } = call
  const isQuiet = guarded.length === 0
  return {
    status,
    tool,
    toolUseId,
    input,
    output,
    reason,
    error,
    context: isQuiet ? NOTHING : guarded.flatMap(contextOf),
    messages: isQuiet ? NOTHING : guarded.flatMap(({ fired }) => fired.messages),
    stop: isQuiet ? null : stopOf(guarded),
    rewrites: isQuiet ? NOTHING : guarded.flatMap(({ fired }) => fired.rewrites),
    runs: isQuiet ? NOTHING : guarded.flatMap(({ fired }) => fired.report.runs),
  }
}

function stopOf(guarded: readonly GuardedCall[]): ToolResult['stop'] {
  return guarded.find(({ fired }) => fired.stop !== null)?.fired.stop ?? null
}

/** After the call a deny cannot undo it: its reason is for the model. */
function contextOf({ fired, verdict }: GuardedCall): readonly string[] {
  const isAfter = endOf(fired.event.name) === 'tool'
  return isAfter && verdict.decision === 'deny' ? [...fired.context, verdict.reason] : fired.context
}
