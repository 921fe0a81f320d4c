// Asks a model on behalf of hooks: the question fenced, the answer checked, the same question not asked twice, the day's budget kept.
// Invariant: an answer that is not exactly `{ok, reason?}` is a failure, which the hook's `fail` decides; nothing a model says can allow.
import type { ModelUsage } from '../../hook/hook-result.ts'
import type { LlmAnswer, LlmProvider, LlmRequest } from '../llm.ts'
import { createAnswerCache, type Look, recordLooks } from './answer-cache.ts'
import { fenceQuestion, SYSTEM_PROMPT } from './fence-event.ts'
import { parseFenced } from './fenced-json.ts'
import { createLookTools, type LookTool } from './look-tools.ts'
import type { Model, ModelReply } from './model.ts'
import { costOf, mostCost, type Prices } from './price.ts'

export interface SpendBook {
  /** US dollars spent today. */
  today(): number | Promise<number>
  add(usd: number): void | Promise<void>
}

export interface LlmProviderOptions {
  readonly model: Model
  /** How long an answer stands for the same question. Default 5 minutes; 0: never. */
  readonly cacheMs?: number
  /** US dollars a day; absent: no limit. */
  readonly dailyBudget?: number
  /** Told once a day, when the budget turns hooks off. */
  readonly onBudgetUsed?: (message: string) => void
  readonly spend?: SpendBook
  /** A model of one's own costs nothing. */
  readonly isFree?: boolean
  /** By model, over those that are listed. */
  readonly prices?: Prices
  readonly now?: () => number
}

const CACHE_MS = 5 * 60_000
const MAX_TURNS = 50

export function createLlmProvider(options: LlmProviderOptions): LlmProvider {
  const { model, cacheMs = CACHE_MS, now = Date.now, isFree = false } = options
  const spend = options.spend ?? createSpendBook(now)
  const cache = createAnswerCache(cacheMs, now)
  const isOff = createBudget(options, spend, now)
  return {
    async ask(request) {
      const tools = request.kind === 'agent' ? createLookTools(request.root ?? process.cwd(), request.transcriptPath ?? null) : []
      const known = await cache.find(request, tools)
      if (known !== null) return fromCache(known)
      const off = await isOff(request)
      if (off !== null) return off
      const looks: Look[] = []
      const reply = await askModel(model, request, recordLooks(tools, looks))
      const usage = usageOf(reply, isFree, options.prices)
      const cost = usage.usd ?? mostCost(reply.tokens)
      if (cost > 0) await spend.add(cost)
      const answer = readReply(reply, usage)
      if (answer.kind === 'answer') cache.keep(request, looks, answer)
      return answer
    },
  }
}

/** Says no when the day's budget is used up: to the host once a day, to each session once a day. */
function createBudget({ dailyBudget, onBudgetUsed }: LlmProviderOptions, spend: SpendBook, now: () => number) {
  let day = ''
  const told = new Set<string>()
  return async ({ event }: LlmRequest): Promise<LlmAnswer | null> => {
    if (dailyBudget === undefined || (await spend.today()) < dailyBudget) return null
    const why = `the daily budget of $${dailyBudget} for models is used up`
    const today = dayOf(now)
    if (today !== day) {
      day = today
      told.clear()
      onBudgetUsed?.(`${why}: prompt and agent hooks are off until midnight UTC, or until llm.daily_budget in config.toml is raised`)
    }
    const session = String(event.session_id)
    const isNews = !told.has(session)
    told.add(session)
    return { kind: 'off', why, isNews }
  }
}

function askModel(model: Model, request: LlmRequest, tools: readonly LookTool[]): Promise<ModelReply> {
  return model.ask({
    system: SYSTEM_PROMPT,
    prompt: fenceQuestion(request),
    model: request.model,
    signal: request.signal,
    tools,
    maxTurns: request.kind === 'agent' ? MAX_TURNS : 1,
    onProgress: request.onProgress ?? (() => undefined),
  })
}

function usageOf({ model, tokens }: ModelReply, isFree: boolean, prices: Prices | undefined): ModelUsage {
  const cost = isFree ? { usd: 0, priceFrom: null } : costOf(model, tokens, prices)
  return { model, inputTokens: tokens.input, outputTokens: tokens.output, ...cost, cached: false }
}

const MAX_REASON = 2000

function readReply(reply: ModelReply, usage: ModelUsage): LlmAnswer {
  if (reply.kind === 'failed') return { kind: 'failed', why: reply.why, usage }
  const value = typeof reply.value === 'string' ? parseFenced(reply.value) : reply.value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unusable(reply.value, usage)
  const { ok, reason } = value as { readonly ok?: unknown; readonly reason?: unknown }
  if (typeof ok !== 'boolean' || (reason !== undefined && reason !== null && typeof reason !== 'string')) return unusable(value, usage)
  const said = typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.slice(0, MAX_REASON) } : {}
  return { kind: 'answer', ok, ...said, usage }
}

function unusable(value: unknown, usage: ModelUsage): LlmAnswer {
  return { kind: 'failed', why: `the model answered ${(JSON.stringify(value) ?? String(value)).slice(0, 200)}, not {ok, reason}`, usage }
}

function fromCache(answer: LlmAnswer): LlmAnswer {
  return answer.usage === undefined ? answer : { ...answer, usage: { ...answer.usage, usd: 0, cached: true } }
}

/** Spending of this process only. */
export function createSpendBook(now: () => number): SpendBook {
  let day = ''
  let usd = 0
  const turnPage = () => {
    const today = dayOf(now)
    if (today === day) return
    day = today
    usd = 0
  }
  return {
    today() {
      turnPage()
      return usd
    },
    add(more) {
      turnPage()
      usd += more
    },
  }
}

function dayOf(now: () => number): string {
  return new Date(now()).toISOString().slice(0, 10)
}
