// LangChain.js: a middleware for createAgent. Every event of an agent's run passes the pipeline: the session, prompts, requests to the model and
// its answers, tool calls, batches of them, and the stop.
import { AIMessage, type BaseMessage, createMiddleware, HumanMessage, ToolMessage } from 'langchain'
import type { ToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import { renderToolResult, type ToolInput, type ToolResult } from '../engine/pipeline/tool.ts'
import type { ToolKind } from '../match/tool/tool-kind.ts'
import { createMessageEdits, type MessageEdits } from './message-edits.ts'

/** Stop hooks that never let go are not asked for ever. */
const MAX_STOPS = 8

export interface MiddlewareOptions {
  /** What tools are, by name, where their names do not say: rules for `Bash`, files or addresses then hold for them. */
  readonly kinds?: Readonly<Record<string, ToolKind>>
}

/** One for each conversation: its pipeline has one session. */
export function createBelayMiddleware(pipeline: ToolPipeline, { kinds = {} }: MiddlewareOptions = {}) {
  const run: Run = { edits: createMessageEdits(), context: [], isStarted: false, stops: 0 }
  return createMiddleware({
    name: 'belay',
    beforeAgent: { canJumpTo: ['end'], hook: async ({ messages }) => enter(pipeline, run, messages) },
    async wrapModelCall(request, handler) {
      await finishBatch(pipeline, run, run.edits.apply(request.messages) as BaseMessage[])
      const shown = run.edits.apply(request.messages) as BaseMessage[]
      const messages = [...shown]
      const { isRefused, reason, context } = await pipeline.beforeModel({ llmRequest: { messages: shown } }, { messages })
      if (isRefused) return new AIMessage(`Request denied: ${reason}`)
      run.edits.learn(shown, messages)
      const told = [...run.context.splice(0), ...context]
      const systemMessage = told.length === 0 ? request.systemMessage : request.systemMessage.concat(`\n\n${told.join('\n\n')}`)
      const answer = await handler({ ...request, systemMessage, messages })
      const asked = [...messages]
      const passage = await pipeline.afterModel({ llmRequest: { messages: asked }, llmResponse: answer }, { messages })
      run.edits.learn(asked, messages)
      return passage.isRefused ? new AIMessage(`Answer denied: ${passage.reason}`) : answer
    },
    async wrapToolCall(request, handler) {
      const { name, id = '', args } = request.toolCall
      let given: Awaited<ReturnType<typeof handler>> | null = null
      const execute = async (input: ToolInput): Promise<unknown> => {
        given = await handler({ ...request, toolCall: { ...request.toolCall, args: input } })
        if (!ToolMessage.isInstance(given)) return null
        if (given.status === 'error') throw new Error(textOf(given.content))
        return given.content
      }
      const shown = run.edits.apply(request.state.messages)
      const messages = [...shown]
      const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
      const tool = kind === undefined ? { name, execute } : { name, execute, kind }
      const result = await pipeline.runTool(tool, args as ToolInput, { messages, ...(id === '' ? {} : { toolUseId: id }) })
      run.edits.learn(shown, messages)
      // A graph command, or a message that no hook touched, goes on as it is.
      if (given !== null && (!ToolMessage.isInstance(given) || isAsGiven(given, result))) return given
      const status = result.status === 'succeeded' || result.status === 'replayed' ? 'success' : 'error'
      return new ToolMessage({ content: renderToolResult(result), tool_call_id: id, name, status })
    },
    afterAgent: { canJumpTo: ['model'], hook: async ({ messages }) => leave(pipeline, run, messages) },
  })
}

/** What one conversation remembers between its events. */
interface Run {
  readonly edits: MessageEdits
  /** For the model, with its next request. */
  readonly context: string[]
  isStarted: boolean
  /** How often in a row hooks made the agent go on. */
  stops: number
}

async function enter(pipeline: ToolPipeline, run: Run, messages: readonly BaseMessage[]) {
  run.stops = 0
  const live = [...messages]
  if (!run.isStarted) run.context.push(...(await pipeline.startSession({ source: 'startup' }, { messages: live })).context)
  run.isStarted = true
  run.edits.learn(messages, live)
  const last = messages.at(-1)
  if (last === undefined || !HumanMessage.isInstance(last)) return undefined
  const given = textOf(last.content)
  const { isRefused, reason, prompt, context } = await pipeline.submitPrompt(given, { messages: live })
  if (isRefused) return { messages: [new AIMessage(`Prompt denied: ${reason}`)], jumpTo: 'end' as const }
  run.edits.learn(messages, live)
  run.context.push(...context)
  if (prompt === given) return undefined
  // Under its own id a message takes the place of the one that was there.
  return { messages: [new HumanMessage({ content: prompt, ...(last.id === undefined ? {} : { id: last.id }) })] }
}

/** The answers of tools that stand at the end of a request are one batch. */
async function finishBatch(pipeline: ToolPipeline, run: Run, messages: readonly BaseMessage[]): Promise<void> {
  const first = messages.findLastIndex(message => !ToolMessage.isInstance(message)) + 1
  const answers = messages.slice(first).filter(ToolMessage.isInstance)
  if (answers.length === 0) return
  const asking = messages[first - 1]
  const calls = AIMessage.isInstance(asking) ? (asking.tool_calls ?? []) : []
  const toolCalls = answers.map(({ tool_call_id, name, content }) => ({
    tool_name: name ?? calls.find(({ id }) => id === tool_call_id)?.name,
    tool_input: calls.find(({ id }) => id === tool_call_id)?.args,
    tool_use_id: tool_call_id,
    tool_response: textOf(content),
  }))
  const live = [...messages]
  run.context.push(...(await pipeline.finishBatch({ toolCalls }, { messages: live })).context)
  run.edits.learn(messages, live)
}

/** A deny of a stop hook makes the agent go on, with the reason as its next instruction. */
async function leave(pipeline: ToolPipeline, run: Run, all: readonly BaseMessage[]) {
  const messages = run.edits.apply(all)
  const live = [...messages]
  const last = all.at(-1)
  const payload = { stopHookActive: run.stops > 0, lastAssistantMessage: last === undefined ? '' : textOf(last.content) }
  const { isRefused, reason } = await pipeline.stop(payload, { messages: live })
  run.edits.learn(messages, live)
  if (!isRefused || run.stops >= MAX_STOPS) return undefined
  run.stops += 1
  return { messages: [new HumanMessage(reason ?? 'Go on.')], jumpTo: 'model' as const }
}

function isAsGiven(message: ToolMessage, { status, output, context }: ToolResult): boolean {
  return context.length === 0 && (status === 'failed' || (status === 'succeeded' && message.content === output))
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}
