// What a question cost, by list price. A model that is not in the table is counted like the dearest: a budget must not be passed unseen.
import type { TokenCount } from './model.ts'

/** US dollars for a million tokens, in and out; the first prefix that fits counts. */
const PRICES: readonly (readonly [prefix: string, input: number, output: number])[] = [
  ['claude-haiku', 1, 5],
  ['claude-3-5-haiku', 0.8, 4],
  ['claude-3-haiku', 0.25, 1.25],
  ['claude-sonnet', 3, 15],
  ['claude-opus', 15, 75],
  ['gpt-5-nano', 0.05, 0.4],
  ['gpt-5-mini', 0.25, 2],
  ['gpt-5', 1.25, 10],
  ['gpt-4.1-nano', 0.1, 0.4],
  ['gpt-4.1-mini', 0.4, 1.6],
  ['gpt-4.1', 2, 8],
  ['gpt-4o-mini', 0.15, 0.6],
  ['gpt-4o', 2.5, 10],
  ['gemini-2.5-flash-lite', 0.1, 0.4],
  ['gemini-2.5-flash', 0.3, 2.5],
  ['gemini-2.5-pro', 1.25, 10],
]
const DEAREST = [15, 75] as const
const MILLION = 1_000_000

export function priceOf(model: string, { input, output }: TokenCount): number {
  const [, perInput, perOutput] = PRICES.find(([prefix]) => model.startsWith(prefix)) ?? ['', ...DEAREST]
  return (input * perInput + output * perOutput) / MILLION
}
