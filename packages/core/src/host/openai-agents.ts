// OpenAI Agents JS: guardrails for function tools. The SDK runs the tool itself; a guardrail can hold a call back but not change it, so a call
// whose input a hook changed is sent back with the input it should have. Invariant: a model that does as it is told gets the call through, or
// is told that it cannot.

import { hashValue } from '../engine/hash-value.ts'
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import type { ToolInput } from '../engine/pipeline/tool.ts'
import type { ToolKind } from '../match/tool/tool-kind.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import { errorText } from '../value/error-text.ts'
import { isObject } from '../value/is-object.ts'

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
  /** What the model reads of a tool that threw; the hooks of failures are told through it. */
  errorFunction(context: unknown, error: unknown, details?: ErrorDetails): string | Promise<string>
}

interface ErrorDetails {
  readonly toolCall?: { readonly callId?: string } | undefined
}

export interface ToolGuardrailOptions {
  /** What the model reads of a tool that threw. Default: the SDK's own words, which tell nothing of the error. */
  readonly errorFunction?: (context: unknown, error: unknown) => string | Promise<string>
  /** What the tool is, where its name does not say: rules for `Bash`, files or addresses then hold for it. */
  readonly kind?: ToolKind
}

/** Spread it into `tool({...})`. */
export function createToolGuardrails(
  pipeline: Pick<ToolPipeline, 'beforeTool' | 'afterTool'>,
  { errorFunction = () => SDK_ERROR, kind }: ToolGuardrailOptions = {},
): ToolGuardrails {
  const judged: Pick<ToolPipeline, 'beforeTool'> =
    kind === undefined ? pipeline : { beforeTool: (name, input, options) => pipeline.beforeTool(name, input, { ...options, kind }) }
  const sentBack = new BoundedMap<string, SentBack>(MAX_KEPT)
  const failures = new BoundedMap<string, string>(MAX_KEPT)
  return {
    inputGuardrails: [{ type: 'tool_input', name: 'belay', run: ({ toolCall }) => closed(() => judgeInput(judged, toolCall, sentBack)) }],
    outputGuardrails: [
      {
        type: 'tool_output',
        name: 'belay',
        run({ toolCall, output }) {
          const error = failures.get(toolCall.callId ?? '')
          failures.delete(toolCall.callId ?? '')
          return closed(() => judgeOutput(pipeline, toolCall, output, error))
        },
      },
    ],
    async errorFunction(context, error, details) {
      failures.set(details?.toolCall?.callId ?? '', errorText(error))
      return errorFunction(context, error)
    },
  }
}

const SDK_ERROR = 'An error occurred while running the tool. Please try again.'
/** Calls may end without a word. */
const MAX_KEPT = 1_000

/** A call that was sent back: what it was called with first, and how often hooks have changed that anew. */
interface SentBack {
  readonly input: ToolInput
  readonly rounds: number
}

const MAX_ROUNDS = 3

async function judgeInput(
  pipeline: Pick<ToolPipeline, 'beforeTool'>,
  { name, callId, arguments: text }: ToolCallData['toolCall'],
  sentBack: Map<string, SentBack>,
): Promise<Behavior> {
  const input = readArguments(text)
  if (input === null) return reject('its arguments are not a JSON object')
  // An input that was told to the model is what hooks make of the first one: they judge that again, and not their own work.
  const told = sentBack.get(keyOf(name, input))
  const asked = told?.input ?? input
  const { isRefused, reason, input: final } = await pipeline.beforeTool(name, asked, idOf(callId))
  if (isRefused) return reject(reason ?? 'refused')
  if (hashValue(final) === hashValue(input)) return { type: 'allow' }
  const rounds = (told?.rounds ?? 0) + 1
  if (rounds > MAX_ROUNDS) return reject('hooks change its input to something else each time; do not call it again')
  sentBack.set(keyOf(name, final), { input: asked, rounds })
  return reject(`call it again with exactly this input: ${JSON.stringify(final)}`)
}

function keyOf(name: string, input: ToolInput): string {
  return `${name} ${hashValue(input)}`
}

async function judgeOutput(
  pipeline: Pick<ToolPipeline, 'afterTool'>,
  { name, callId, arguments: text }: ToolCallData['toolCall'],
  given: unknown,
  error: string | undefined,
): Promise<Behavior> {
  const ended = { tool: name, input: readArguments(text) ?? {}, ...(error === undefined ? { output: given } : { error }) }
  const { output, context } = await pipeline.afterTool(ended, idOf(callId))
  const shown = error === undefined ? output : given
  if (shown === given && context.length === 0) return { type: 'allow' }
  return { type: 'rejectContent', message: [typeof shown === 'string' ? shown : JSON.stringify(shown), ...context].join('\n\n') }
}

/** Whatever breaks here must not let the call through. */
async function closed(judge: () => Promise<Behavior>): Promise<GuardrailOutput> {
  try {
    return { behavior: await judge() }
  } catch (error) {
    return { behavior: reject(`it could not be judged: ${errorText(error)}`) }
  }
}

function reject(reason: string): { type: 'rejectContent'; message: string } {
  return { type: 'rejectContent', message: `Tool denied: ${reason}` }
}

function readArguments(text: string): ToolInput | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isObject(value) ? (value as ToolInput) : null
  } catch {
    return null
  }
}

function idOf(callId: string | undefined): { readonly toolUseId?: string } {
  return callId === undefined ? {} : { toolUseId: callId }
}
