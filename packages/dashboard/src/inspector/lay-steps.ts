// Where each bar of the waterfall stands. The scale reaches to the end of the last step, and at least a little past the budget where the
// event came near it, so that the line is seen exactly when it matters.
import type { RecordStep } from '#page/record.ts'

export interface Bar {
  readonly step: RecordStep
  /** Shares of the whole width; null: nothing was measured. */
  readonly left: number | null
  readonly width: number
}

export interface Laid {
  readonly bars: readonly Bar[]
  readonly scaleMs: number
  /** Share of the width; null: it lies beyond the scale. */
  readonly budgetAt: number | null
}

const THINNEST = 0.006

export function laySteps(steps: readonly RecordStep[], budgetMs: number): Laid {
  let clockMs = 0
  const placed = steps.map(step => {
    const ms = step.skipped === null ? (step.ms ?? 0) : 0
    // A step without a start of its own begins where the one before ended.
    const startMs = step.startMs ?? clockMs
    if (step.skipped === null) clockMs = Math.max(clockMs, startMs + ms)
    return { step, startMs, ms }
  })
  const endMs = Math.max(...placed.map(({ startMs, ms }) => startMs + ms), 0.1)
  const scaleMs = endMs > budgetMs / 4 ? Math.max(endMs, budgetMs * 1.1) : endMs
  return {
    scaleMs,
    budgetAt: budgetMs <= scaleMs ? budgetMs / scaleMs : null,
    bars: placed.map(({ step, startMs, ms }) =>
      step.skipped !== null || step.ms === null
        ? { step, left: null, width: 0 }
        : { step, left: Math.min(1 - THINNEST, startMs / scaleMs), width: Math.max(THINNEST, ms / scaleMs) },
    ),
  }
}
