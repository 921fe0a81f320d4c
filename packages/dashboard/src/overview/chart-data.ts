// Figures by minute as the charts draw them. Long periods are put together into wider steps, so that a bar is never thinner than it can be seen.
import type { Minute } from '#page/overview.ts'

export const VERDICTS = ['none', 'allow', 'ask', 'deny'] as const
export type Counted = (typeof VERDICTS)[number]

const MAX_STEPS = 120

export interface Step {
  readonly at: number
  readonly counts: Readonly<Record<Counted, number>>
  readonly p50Ms: number | null
  readonly p90Ms: number | null
  readonly p99Ms: number | null
}

export function stepsOf(minutes: readonly Minute[]): { readonly steps: readonly Step[]; readonly stepMinutes: number } {
  const stepMinutes = Math.max(1, Math.ceil(minutes.length / MAX_STEPS))
  const steps: Step[] = []
  for (let from = 0; from < minutes.length; from += stepMinutes) steps.push(joinMinutes(minutes.slice(from, from + stepMinutes)))
  return { steps, stepMinutes }
}

/** Events a minute on average; percentiles of the slowest minute, which is what one looks for. */
function joinMinutes(minutes: readonly Minute[]): Step {
  const mean = (name: Counted) => minutes.reduce((sum, minute) => sum + minute[name], 0) / minutes.length
  return {
    at: minutes[0]?.at ?? 0,
    counts: { none: mean('none'), allow: mean('allow'), ask: mean('ask'), deny: mean('deny') },
    p50Ms: highest(minutes, 'p50Ms'),
    p90Ms: highest(minutes, 'p90Ms'),
    p99Ms: highest(minutes, 'p99Ms'),
  }
}

function highest(minutes: readonly Minute[], name: 'p50Ms' | 'p90Ms' | 'p99Ms'): number | null {
  return minutes.reduce<number | null>((most, minute) => {
    const value = minute[name]
    return value === null ? most : Math.max(value, most ?? 0)
  }, null)
}

/** Each verdict on top of those before it: what is drawn first is the tallest. */
export function stackOf(steps: readonly Step[]): readonly (readonly number[])[] {
  const heights = VERDICTS.map(() => [] as number[])
  for (const { counts } of steps) {
    let sum = 0
    for (const [index, verdict] of VERDICTS.entries()) {
      sum += counts[verdict]
      heights[index]?.push(sum)
    }
  }
  return heights.reverse()
}

export function mixOf(minutes: readonly Minute[]): Readonly<Record<Counted, number>> & { readonly total: number } {
  const sum = (name: Counted) => minutes.reduce((all, minute) => all + minute[name], 0)
  const mix = { none: sum('none'), allow: sum('allow'), ask: sum('ask'), deny: sum('deny') }
  return { ...mix, total: mix.none + mix.allow + mix.ask + mix.deny }
}

/** Whole powers of ten around the values and the budget. */
export function latencyRange(steps: readonly Step[], budgetMs: number): readonly [number, number] {
  const known = steps.flatMap(({ p50Ms, p99Ms }) => [p50Ms, p99Ms]).filter((ms): ms is number => ms !== null && ms > 0)
  const low = Math.min(1, ...known)
  const high = Math.max(budgetMs * 2, ...known)
  return [10 ** Math.max(-3, Math.floor(Math.log10(low))), 10 ** Math.ceil(Math.log10(high))]
}
