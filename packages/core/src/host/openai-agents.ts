// OpenAI Agents JS: guardrails for function tools. The SDK runs the tool itself; a guardrail can hold a call back but not change it, so a call
// whose input a hook changed is sent back with the input it should have.
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import type { ToolInput } from '../engine/pipeline/tool.ts'

interface ToolCallData {
  readonly toolCall: { readonly name: string; readonly callId?: string; readonly arguments: string }
}

type Behavior = { readonly type: 'allow' } | { readonly type: 'rejectContent'; readonly message: string }

interface GuardrailOutput {
  readonly behavior: { type: 'allow' } | { type: 'rejectContent'; message: string }
  readonly outputInfo?: unknown
}

export interface ToolGuardrails {
  readonly inputGuardrails: { type: 'tool_input'; name: string; run(data: ToolCallData): Promise<GuardrailOutput> }[]
  readonly outputGuardrails: {
    type: 'tool_output'
    name: string
    run(data: ToolCallData & { readonly output: unknown }): Promise<GuardrailOutput>
  }[]
}

/** Spread it into `tool({...})`. */
export function createToolGuardrails(pipeline: Pick<ToolPipeline, 'beforeTool' | 'afterTool'>): ToolGuardrails {
  return {
    inputGuardrails: [{ type: 'tool_input', name: 'belay', run: ({ toolCall }) => closed(() => judgeInput(pipeline, toolCall)) }],
    outputGuardrails: [
      { type: 'tool_output', name: 'belay', run: ({ toolCall, output }) => closed(() => judgeOutput(pipeline, toolCall, output)) },
    ],
  }
}

async function judgeInput(
  pipeline: Pick<ToolPipeline, 'beforeTool'>,
  { name, callId, arguments: text }: ToolCallData['toolCall'],
): Promise<Behavior> {
  const input = readArguments(text)
  if (input === null) return reject('its arguments are not a JSON object')
  const { isRefused, reason, isRewritten, input: final } = await pipeline.beforeTool(name, input, idOf(callId))
  if (isRefused) return reject(reason ?? 'refused')
  return isRewritten ? reject(`call it again with exactly this input: ${JSON.stringify(final)}`) : { type: 'allow' }
}

async function judgeOutput(pipeline: Pick<ToolPipeline, 'afterTool'>, call: ToolCallData['toolCall'], given: unknown): Promise<Behavior> {
  const input = readArguments(call.arguments) ?? {}
  const { output, context } = await pipeline.afterTool({ tool: call.name, input, output: given }, idOf(call.callId))
  if (output === given && context.length === 0) return { type: 'allow' }
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return { type: 'rejectContent', message: [text, ...context].join('\n\n') }
}

/** Whatever breaks here must not let the call through. */
async function closed(judge: () => Promise<Behavior>): Promise<GuardrailOutput> {
  try {
    return { behavior: await judge() }
  } catch (error) {
    return { behavior: reject(`it could not be judged: ${error instanceof Error ? error.message : String(error)}`) }
  }
}

function reject(reason: string): { type: 'rejectContent'; message: string } {
  return { type: 'rejectContent', message: `Tool denied: ${reason}` }
}

function readArguments(text: string): ToolInput | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ToolInput) : null
  } catch {
    return null
  }
}

function idOf(callId: string | undefined): { readonly toolUseId?: string } {
  return callId === undefined ? {} : { toolUseId: callId }
}
