// LangChain.js: a middleware for createAgent that runs every tool call through the pipeline.
import { createMiddleware, ToolMessage } from 'langchain'
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import { renderToolResult, type ToolInput } from '../engine/pipeline/tool.ts'

export function createBelayMiddleware(pipeline: Pick<ToolPipeline, 'runTool'>) {
  return createMiddleware({
    name: 'belay',
    async wrapToolCall(request, handler) {
      const { name, id = '', args } = request.toolCall
      let given: Awaited<ReturnType<typeof handler>> | null = null
      const execute = async (input: ToolInput): Promise<unknown> => {
        given = await handler({ ...request, toolCall: { ...request.toolCall, args: input } })
        if (!ToolMessage.isInstance(given)) return null
        if (given.status === 'error') throw new Error(textOf(given.content))
        return given.content
      }
      const result = await pipeline.runTool({ name, execute }, args as ToolInput, id === '' ? {} : { toolUseId: id })
      const isAsGiven = result.context.length === 0 && (result.status === 'succeeded' || result.status === 'failed')
      // A graph command, or a message that no hook touched, goes on as it is.
      if (given !== null && (!ToolMessage.isInstance(given) || (isAsGiven && isSame(given, result.output, result.status)))) return given
      const status = result.status === 'succeeded' || result.status === 'replayed' ? 'success' : 'error'
      return new ToolMessage({ content: renderToolResult(result), tool_call_id: id, name, status })
    },
  })
}

function isSame(message: ToolMessage, output: unknown, status: string): boolean {
  return status === 'failed' || message.content === output
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}
