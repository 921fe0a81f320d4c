// Models through the AI SDK: Anthropic, OpenAI, Google, and anything that speaks OpenAI's chat API (Ollama, vLLM). The packages are optional
// and loaded with the first question; one that is missing is named with what to install.
import type { JSONSchema7, LanguageModel, ToolSet } from 'ai'
import { isFenced } from './fenced-json.ts'
import { loadPackage } from './load-package.ts'
import type { Model, ModelCall, ModelReply, TokenCount } from './model.ts'

export const LLM_PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const
export type LlmProviderName = (typeof LLM_PROVIDERS)[number]

export interface AiSdkOptions {
  readonly provider: LlmProviderName
  readonly model: string
  readonly baseUrl?: string
  /** Where keys come from: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Tries after an overloaded or unreachable provider. Default 2. */
  readonly retries?: number
}

/** Strict modes want every property required; a reason that is empty is none. */
const ANSWER: JSONSchema7 = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['ok', 'reason'],
  additionalProperties: false,
}

const NOTHING: TokenCount = { input: 0, output: 0 }

export function createAiSdkModel(options: AiSdkOptions): Model {
  return {
    async ask(call) {
      const model = call.model ?? options.model
      try {
        return await generate(options, call, model)
      } catch (error) {
        const tokens = tokensOf(usageIn(error))
        const text = textIn(error)
        if (text !== null && isFenced(text)) return { kind: 'value', value: text, model, tokens }
        return { kind: 'failed', why: explain(error, options), model, tokens }
      }
    },
  }
}

async function generate(options: AiSdkOptions, call: ModelCall, model: string): Promise<ModelReply> {
  const { generateText, jsonSchema, Output, stepCountIs, tool } = await loadPackage<typeof import('ai')>('ai')
  const tools: ToolSet = Object.fromEntries(
    call.tools.map(each => [
      each.name,
      tool({
        description: each.description,
        inputSchema: jsonSchema<Readonly<Record<string, unknown>>>(each.input as JSONSchema7),
        execute: async (input: Readonly<Record<string, unknown>>) => {
          call.onProgress(`${each.name} ${JSON.stringify(input).slice(0, 200)}`)
          return each.run(input)
        },
      }),
    ]),
  )
  const result = await generateText({
    model: await openModel(options, model),
    system: call.system,
    prompt: call.prompt,
    abortSignal: call.signal,
    maxRetries: options.retries ?? 2,
    output: Output.object({ schema: jsonSchema<unknown>(ANSWER) }),
    ...(call.tools.length === 0 ? {} : { tools, stopWhen: stepCountIs(call.maxTurns) }),
  })
  return { kind: 'value', value: result.output, model, tokens: tokensOf(result.totalUsage) }
}

async function openModel({ provider, baseUrl, env = process.env }: AiSdkOptions, model: string): Promise<LanguageModel> {
  const place = baseUrl === undefined ? {} : { baseURL: baseUrl }
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await loadPackage<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic')
      return createAnthropic({ ...place, ...keyFrom(env, 'ANTHROPIC_API_KEY') })(model)
    }
    case 'openai': {
      const { createOpenAI } = await loadPackage<typeof import('@ai-sdk/openai')>('@ai-sdk/openai')
      return createOpenAI({ ...place, ...keyFrom(env, 'OPENAI_API_KEY') })(model)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await loadPackage<typeof import('@ai-sdk/google')>('@ai-sdk/google')
      return createGoogleGenerativeAI({ ...place, ...keyFrom(env, 'GOOGLE_GENERATIVE_AI_API_KEY') })(model)
    }
    case 'openai-compatible': {
      if (baseUrl === undefined) throw new Error('openai-compatible needs llm.base_url, such as http://127.0.0.1:11434/v1')
      const { createOpenAICompatible } = await loadPackage<typeof import('@ai-sdk/openai-compatible')>('@ai-sdk/openai-compatible')
      const key = env.OPENAI_COMPATIBLE_API_KEY
      return createOpenAICompatible({
        name: 'own',
        baseURL: baseUrl,
        supportsStructuredOutputs: true,
        ...(key === undefined ? {} : { apiKey: key }),
      })(model)
    }
  }
}

function keyFrom(env: NonNullable<AiSdkOptions['env']>, name: string): { readonly apiKey: string } {
  const apiKey = env[name]
  if (apiKey === undefined || apiKey === '') throw new Error(`${name} is not set in the environment`)
  return { apiKey }
}

function explain(error: unknown, { provider }: AiSdkOptions): string {
  const {
    name = '',
    message,
    statusCode,
    text,
    lastError,
  } = error as Partial<Record<'name' | 'message' | 'text', string>> & {
    readonly statusCode?: number
    readonly lastError?: unknown
  }
  if (lastError !== undefined) return `${explain(lastError, { provider } as AiSdkOptions)} (tried again in vain)`
  if (text !== undefined) return `${provider} gave no usable answer: ${JSON.stringify(text.slice(0, 200))}`
  const status = statusCode === undefined ? '' : ` (status ${statusCode})`
  return `${provider}: ${message ?? name}${status}`
}

/** What the model said where the SDK found no object in it. */
function textIn(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'text' in error && typeof error.text === 'string' ? error.text : null
}

function usageIn(error: unknown): Usage | undefined {
  return typeof error === 'object' && error !== null && 'usage' in error ? (error.usage as Usage) : undefined
}

interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

function tokensOf(usage: Usage | undefined): TokenCount {
  return usage === undefined ? NOTHING : { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 }
}
