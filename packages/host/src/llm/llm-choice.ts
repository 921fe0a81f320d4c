// The model that config.toml names for prompt and agent hooks; keys come from the environment. A name that is not known is told once.
import { createAiSdkModel, createLlmProvider, LLM_PROVIDERS, type LlmProvider, type LlmProviderName, type Prices } from '@belay/core'
import type { Config } from '../config/config-file.ts'
import { openSpendBook } from './spend-book.ts'

export interface LlmChoiceOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  onProblem(message: string): void
}

/** The same config gives the same provider, so that its cache lives on. */
export function createLlmChoice({ home, env, onProblem }: LlmChoiceOptions): (config: Pick<Config, 'llm'>) => LlmProvider | null {
  const spend = openSpendBook(home)
  let chosen = ''
  let provider: LlmProvider | null = null
  return ({ llm }) => {
    const wanted = JSON.stringify(llm ?? null)
    if (wanted === chosen) return provider
    chosen = wanted
    const read = readChoice(llm)
    provider = null
    if (typeof read === 'string') onProblem(read)
    else if (read !== null) {
      const { dailyBudget } = llm ?? {}
      const model = createAiSdkModel({ ...read, env })
      const prices = ownPrices(read.model, llm)
      provider = createLlmProvider({
        model,
        spend,
        prices,
        isFree: isOwn(read),
        onBudgetUsed: onProblem,
        ...(dailyBudget === undefined ? {} : { dailyBudget }),
      })
    }
    return provider
  }
}

interface Choice {
  readonly provider: LlmProviderName
  readonly model: string
  readonly baseUrl?: string
}

/** null: no model is wanted; a text says what is wrong. */
function readChoice(llm: Config['llm']): Choice | string | null {
  if (llm?.provider === undefined) return null
  const provider = LLM_PROVIDERS.find(each => each === llm.provider)
  if (provider === undefined) return `llm.provider in config.toml is ${llm.provider}; it can be ${LLM_PROVIDERS.join(', ')}`
  if (llm.model === undefined) return 'llm.model in config.toml is missing; prompt and agent hooks fail until it names one'
  if ((llm.inputPrice === undefined) !== (llm.outputPrice === undefined)) {
    return 'llm.input_price and llm.output_price in config.toml go together; prompt and agent hooks fail until both are there'
  }
  return { provider, model: llm.model, ...(llm.baseUrl === undefined ? {} : { baseUrl: llm.baseUrl }) }
}

/** What config.toml says holds for the model it names, not for one that a hook asks for by itself. */
function ownPrices(model: string, { inputPrice, outputPrice }: NonNullable<Config['llm']> = {}): Prices {
  if (inputPrice === undefined || outputPrice === undefined) return new Map()
  return new Map([[model, { input: inputPrice, output: outputPrice }]])
}

/** A model on this machine costs nothing. */
function isOwn({ provider, baseUrl }: Choice): boolean {
  if (provider !== 'openai-compatible' || baseUrl === undefined) return false
  try {
    return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname)
  } catch {
    return false
  }
}
