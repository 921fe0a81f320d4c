// Vercel AI SDK: tools that run through the pipeline, a middleware that shows requests to the hooks before the model sees them, and a step
// function that carries what hooks of tools changed in the conversation into the next request.
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import { renderToolResult, type ToolInput, type ToolResult } from '../engine/pipeline/tool.ts'
import type { ToolKind } from '../match/tool/tool-kind.ts'
import { createMessageEdits } from './message-edits.ts'

interface ExecuteOptions {
  readonly toolCallId: string
  readonly messages?: unknown[]
  readonly abortSignal?: AbortSignal
}

/** What is needed of a tool of the SDK; the rest is passed on as it is. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own tool sets are typed with any; each tool keeps its type
type AnyTool = { readonly execute?: ((input: any, options: any) => unknown) | undefined; readonly kind?: ToolKind }

/** The same tools under the same names; a denied call answers "Tool denied: <reason>", which the model can read. */
export function guardTools<Tools extends Readonly<Record<string, AnyTool>>>(tools: Tools, pipeline: Pick<ToolPipeline, 'runTool'>): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, tool.execute === undefined ? tool : guardTool(name, tool, pipeline)])
  return Object.fromEntries(guarded) as Tools
}

function guardTool(name: string, tool: AnyTool, pipeline: Pick<ToolPipeline, 'runTool'>): AnyTool {
  return {
    ...tool,
    async execute(input: ToolInput, options: ExecuteOptions) {
      const execute = async (final: ToolInput) => lastOf(await tool.execute?.(final, options))
      const kind = tool.kind === undefined ? {} : { kind: tool.kind }
      const result = await pipeline.runTool({ name, execute, ...kind }, input, {
        toolUseId: options.toolCallId,
        ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
        ...(options.messages === undefined ? {} : { messages: options.messages }),
      })
      return outputOf(result)
    },
  }
}

/** Tools may give their output piece by piece; the last piece is the result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) return output
  let last: unknown
  for await (const piece of output as AsyncIterable<unknown>) last = piece
  return last
}

function outputOf(result: ToolResult): unknown {
  const { status, output, error, reason, context } = result
  if (status === 'failed' || status === 'cancelled') {
    if (context.length === 0 && error instanceof Error) throw error
    throw new Error([reason ?? status, ...context].join('\n\n'), { cause: error })
  }
  return status === 'succeeded' && context.length === 0 ? output : renderToolResult(result)
}

/** What is needed of a step: its messages, which tools of that step get as the same list. */
interface Step<Message> {
  readonly messages: Message[]
}

/**
 * For `prepareStep` of one call of generateText or streamText: messages that hooks took out, put in or replaced in `context.messages` are so
 * in every request that follows.
 */
export function createPrepareStep(): <Message>(step: Step<Message>) => { messages: Message[] } {
  const edits = createMessageEdits()
  let shown: { readonly live: readonly unknown[]; readonly before: readonly unknown[] } | null = null
  return <Message>({ messages }: Step<Message>) => {
    if (shown !== null) edits.learn(shown.before, shown.live)
    // In place: this very list is what the tools of the step are given.
    messages.splice(0, messages.length, ...(edits.apply(messages) as Message[]))
    shown = { live: messages, before: [...messages] }
    return { messages }
  }
}

interface ModelMessage {
  readonly role: string
  readonly content: unknown
}

interface CallParams {
  readonly prompt: readonly ModelMessage[]
}

export interface ModelMiddleware {
  readonly specificationVersion: 'v3'
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's parameters are passed on as they are
  transformParams(options: { readonly type: string; readonly params: any; readonly model: unknown }): Promise<any>
}

/** For wrapLanguageModel: PreModel hooks may refuse a request, edit its messages, or add to it what the model should know. */
export function createModelMiddleware(pipeline: Pick<ToolPipeline, 'beforeModel'>): ModelMiddleware {
  return {
    specificationVersion: 'v3',
    async transformParams({ params }: { readonly params: CallParams }) {
      const messages: unknown[] = [...params.prompt]
      const { isRefused, reason, context } = await pipeline.beforeModel({ llmRequest: { messages: params.prompt } }, { messages })
      if (isRefused) throw new Error(`Request denied: ${reason}`)
      const told = context.length === 0 ? [] : [{ role: 'system', content: context.join('\n\n') }]
      return { ...params, prompt: [...told, ...messages] }
    },
  }
}
