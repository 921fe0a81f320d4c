// A complete small agent. The model decides what to do; the pipeline decides whether it happens.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Approve, createHooks, createToolPipeline, type Hooks, renderToolResult, type ToolPipeline } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { generateText, type JSONSchema7, jsonSchema, type LanguageModel, type ModelMessage, type Schema, type ToolSet, tool } from 'ai'
import { z } from 'zod'
import { createTools, SCHEMAS } from './tools.ts'

export interface AgentOptions {
  readonly model: LanguageModel
  readonly cwd: string
  /** A person who answers where the policy asks. */
  readonly approve: Approve
  /** Hooks in code, beside those of the policy. */
  readonly hooks?: Hooks
}

const MOST_TURNS = 20

export async function runAgent(
  prompt: string,
  options: AgentOptions,
): Promise<{ readonly answer: string; readonly messages: readonly ModelMessage[] }> {
  const pipeline = createPipeline(options)
  await pipeline.startSession({ source: 'startup' })
  const asked = await pipeline.submitPrompt(prompt)
  if (asked.isRefused) return { answer: `The prompt was refused: ${asked.reason}`, messages: [] }
  const messages: ModelMessage[] = [{ role: 'user', content: [asked.prompt, ...asked.context].join('\n\n') }]
  let answer = ''
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { text, toolCalls, response } = await generateText({ model: options.model, messages, tools: DECLARED })
    messages.push(...response.messages)
    answer = text
    if (toolCalls.length > 0) {
      messages.push(await answerCalls(pipeline, toolCalls, messages))
      continue
    }
    const stopped = await pipeline.stop({ lastAssistantMessage: text })
    if (!stopped.isRefused) break
    messages.push({ role: 'user', content: stopped.reason ?? 'Go on.' })
  }
  await pipeline.endSession({ reason: 'done' })
  return { answer, messages }
}

/** The model is told of the tools. They have no `execute` and check nothing: the pipeline does both. */
const DECLARED: ToolSet = {
  Read: tool({ description: 'Reads a file.', inputSchema: describe(SCHEMAS.Read) }),
  Bash: tool({ description: 'Runs a shell command.', inputSchema: describe(SCHEMAS.Bash) }),
}

function describe(schema: z.ZodType): Schema<unknown> {
  return jsonSchema<unknown>(z.toJSONSchema(schema) as JSONSchema7)
}

function createPipeline({ cwd, approve, hooks = createHooks({}, { cwd }) }: AgentOptions): ToolPipeline {
  const file = fileURLToPath(new URL('genesis.key', import.meta.url))
  const parsed = parseGenesis(readFileSync(file, 'utf8'), file)
  if (!parsed.ok) throw new Error(`${file}: ${parsed.errors[0]?.message}`)
  return createToolPipeline({ tools: createTools(cwd), hooks, policies: [parsed.policy], approve, cwd, actor: 'agent:example' })
}

interface Call {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

async function answerCalls(pipeline: ToolPipeline, calls: readonly Call[], messages: unknown[]): Promise<ModelMessage> {
  const content = []
  for (const { toolCallId, toolName, input } of calls) {
    const result = await pipeline.runTool(toolName, input as Record<string, unknown>, { toolUseId: toolCallId, messages })
    content.push({ type: 'tool-result' as const, toolCallId, toolName, output: { type: 'text' as const, value: renderToolResult(result) } })
  }
  return { role: 'tool', content }
}
