// Asks a model on behalf of hooks: the question fenced, the answer checked, the same question not asked twice, the day's budget kept.
// Invariant: an answer that is not exactly `{ok, reason?}` is a failure, which the hook's `fail` decides; nothing a model says can allow.
import { createHash } from 'node:crypto'
import type { ModelUsage } from '../../hook/hook-result.ts'
import { canonicalJson } from '../../ledger/canonical-json.ts'
import type { LlmAnswer, LlmProvider, LlmRequest } from '../llm.ts'
import { fenceQuestion, SYSTEM_PROMPT } from './fence-event.ts'
import { createLookTools } from './look-tools.ts'
import type { Model, ModelReply } from './model.ts'
import { mostCost, type Prices, priceOf } from './price.ts'

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
  readonly spend?: SpendBook
  /** A model of one's own costs nothing. */
  readonly isFree?: boolean
  /** By model, over those that are listed. */
  readonly prices?: Prices
  readonly now?: () => number
}

const CACHE_MS = 5 * 60_000
const MOST_KEPT = 1000
const MAX_TURNS = 50

export function createLlmProvider(options: LlmProviderOptions): LlmProvider {
  const { model, dailyBudget, cacheMs = CACHE_MS, now = Date.now, isFree = false } = options
  const spend = options.spend ?? createSpendBook(now)
  const cache = new Map<string, { readonly until: number; readonly answer: LlmAnswer }>()
  return {
    async ask(request) {
      const key = cacheKey(request)
      const known = cache.get(key)
      if (known !== undefined && known.until > now()) return fromCache(known.answer)
      if (dailyBudget !== undefined && (await spend.today()) >= dailyBudget) {
        return {
          kind: 'failed',
          why: `the daily budget of $${dailyBudget} for models is used up; it begins anew at midnight UTC (llm.daily_budget in config.toml)`,
        }
      }
      const reply = await askModel(model, request)
      const usage = usageOf(reply, isFree, options.prices)
      const cost = usage.usd ?? mostCost(reply.tokens)
      if (cost > 0) await spend.add(cost)
      const answer = readReply(reply, usage)
      if (answer.kind === 'answer' && cacheMs > 0) keep(cache, key, { until: now() + cacheMs, answer })
      return answer
    },
  }
}

function askModel(model: Model, request: LlmRequest): Promise<ModelReply> {
  const isAgent = request.kind === 'agent'
  return model.ask({
    system: SYSTEM_PROMPT,
    prompt: fenceQuestion(request),
    model: request.model,
    signal: request.signal,
    tools: isAgent ? createLookTools(request.root ?? process.cwd(), request.transcriptPath ?? null) : [],
    maxTurns: isAgent ? MAX_TURNS : 1,
    onProgress: request.onProgress ?? (() => undefined),
  })
}

function usageOf({ model, tokens }: ModelReply, isFree: boolean, prices: Prices | undefined): ModelUsage {
  return { model, inputTokens: tokens.input, outputTokens: tokens.output, usd: isFree ? 0 : priceOf(model, tokens, prices), cached: false }
}

const LONGEST_REASON = 2000

function readReply(reply: ModelReply, usage: ModelUsage): LlmAnswer {
  if (reply.kind === 'failed') return { kind: 'failed', why: reply.why, usage }
  const { value } = reply
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unusable(value, usage)
  const { ok, reason } = value as { readonly ok?: unknown; readonly reason?: unknown }
  if (typeof ok !== 'boolean' || (reason !== undefined && reason !== null && typeof reason !== 'string')) return unusable(value, usage)
  const said = typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.slice(0, LONGEST_REASON) } : {}
  return { kind: 'answer', ok, ...said, usage }
}

function unusable(value: unknown, usage: ModelUsage): LlmAnswer {
  return { kind: 'failed', why: `the model answered ${(JSON.stringify(value) ?? String(value)).slice(0, 200)}, not {ok, reason}`, usage }
}

function fromCache(answer: LlmAnswer): LlmAnswer {
  return answer.usage === undefined ? answer : { ...answer, usage: { ...answer.usage, usd: 0, cached: true } }
}

function keep<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, value)
}

/** Ids that differ from call to call do not make a question another one. */
const VOLATILE = new Set(['tool_use_id', 'session_id', 'transcript_path', 'prompt_id', 'duration_ms'])

function cacheKey({ kind, prompt, model, event, history = [], root }: LlmRequest): string {
  const stable = Object.fromEntries(Object.entries(event).filter(([name]) => !VOLATILE.has(name)))
  return createHash('sha256')
    .update(canonicalJson([kind, prompt, model, stable, history, root]))
    .digest('hex')
}

/** Spending of this process only. */
export function createSpendBook(now: () => number): SpendBook {
  let day = ''
  let usd = 0
  const turnPage = () => {
    const today = new Date(now()).toISOString().slice(0, 10)
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
