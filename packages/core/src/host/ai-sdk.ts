// Vercel AI SDK: tools that run through the pipeline, and a middleware that shows requests to the hooks before the model sees them.
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import { renderToolResult, type ToolInput, type ToolResult } from '../engine/pipeline/tool.ts'

interface ExecuteOptions {
  readonly toolCallId: string
  readonly messages?: unknown[]
  readonly abortSignal?: AbortSignal
}

/** What is needed of a tool of the SDK; the rest is passed on as it is. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own tool sets are typed with any; each tool keeps its type
type AnyTool = { readonly execute?: ((input: any, options: any) => unknown) | undefined }

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
      const result = await pipeline.runTool({ name, execute }, input, {
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

/** For wrapLanguageModel: PreModel hooks may refuse a request, or add to it what the model should know. */
export function createModelMiddleware(pipeline: Pick<ToolPipeline, 'beforeModel'>): ModelMiddleware {
  return {
    specificationVersion: 'v3',
    async transformParams({ params }: { readonly params: CallParams }) {
      const { isRefused, reason, context } = await pipeline.beforeModel({ llmRequest: { messages: params.prompt } })
      if (isRefused) throw new Error(`Request denied: ${reason}`)
      if (context.length === 0) return params
      return { ...params, prompt: [{ role: 'system', content: context.join('\n\n') }, ...params.prompt] }
    },
  }
}
