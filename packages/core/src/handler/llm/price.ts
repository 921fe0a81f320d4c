// What a question cost, roughly. The prices were compared with public tables, mostly of third parties and not all of one mind; they know no
// discounts, tiers or caches and hold for the very model named. What is not listed has no price. The record says whose price was taken.
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
      ['claude-sonnet-4-6', 3, 15],
      ['claude-opus-4', 15, 75],
      ['claude-opus-4-1', 15, 75],
      ['claude-opus-4-5', 5, 25],
      ['claude-opus-4-6', 5, 25],
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

export interface Cost {
  /** null: nobody said what it costs. */
  readonly usd: number | null
  readonly priceFrom: 'list' | 'settings' | null
}

export function costOf(model: string, tokens: TokenCount, own: Prices = new Map()): Cost {
  for (const name of [model, model.replace(RELEASE, '')]) {
    const mine = own.get(name)
    if (mine !== undefined) return { usd: costAt(mine, tokens), priceFrom: 'settings' }
    const listed = LISTED.get(name)
    if (listed !== undefined) return { usd: costAt(listed, tokens), priceFrom: 'list' }
  }
  return { usd: null, priceFrom: null }
}

/** For a budget, which must not be passed unseen: a model without a price counts like the dearest. */
export function mostCost(tokens: TokenCount): number {
  return costAt(DEAREST, tokens)
}

function costAt(price: Price, { input, output }: TokenCount): number {
  return (input * price.input + output * price.output) / MILLION
}
