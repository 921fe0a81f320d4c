// What a question cost. Prices are those the providers list, without discounts, tiers or caches, and hold for the very model named; what is not
// listed has no price rather than a wrong one.
import type { TokenCount } from './model.ts'

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

export type Prices = ReadonlyMap<string, Price>

const LISTED: Prices = new Map(
  (
    [
      ['claude-haiku-4-5', 1, 5],
      ['claude-3-5-haiku', 0.8, 4],
      ['claude-3-haiku', 0.25, 1.25],
      ['claude-sonnet-4', 3, 15],
      ['claude-sonnet-4-5', 3, 15],
      ['claude-opus-4', 15, 75],
      ['claude-opus-4-1', 15, 75],
      ['claude-opus-4-5', 5, 25],
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
    ] as const
  ).map(([model, input, output]) => [model, { input, output }]),
)
const DEAREST: Price = { input: 15, output: 75 }
const MILLION = 1_000_000

/** A release of a model costs what the model costs. */
const RELEASE = /-(?:latest|0|\d{8}|\d{4}-\d{2}-\d{2})$/

/** null: nobody said what it costs. */
export function priceOf(model: string, tokens: TokenCount, own: Prices = new Map()): number | null {
  const named = [model, model.replace(RELEASE, '')]
  const price = named.map(name => own.get(name) ?? LISTED.get(name)).find(found => found !== undefined)
  return price === undefined ? null : costAt(price, tokens)
}

/** For a budget, which must not be passed unseen: a model without a price counts like the dearest. */
export function mostCost(tokens: TokenCount): number {
  return costAt(DEAREST, tokens)
}

function costAt(price: Price, { input, output }: TokenCount): number {
  return (input * price.input + output * price.output) / MILLION
}
