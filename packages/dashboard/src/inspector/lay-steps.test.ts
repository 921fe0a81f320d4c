import { expect, test } from 'vitest'
import type { RecordStep } from '#page/record.ts'
import { laySteps } from './lay-steps.ts'

function step(startMs: number | null, ms: number | null, skipped: string | null = null): RecordStep {
  const nothing = {
    name: 'x',
    kind: 'hook',
    scope: null,
    type: null,
    outcome: '',
    verdict: 'none',
    reason: null,
    place: null,
    error: null,
  } as const
  return { ...nothing, startMs, ms, skipped, isOverBudget: false }
}

test('a fast event fills the width and shows no budget line', () => {
  const { bars, budgetAt, scaleMs } = laySteps([step(0, 1), step(1, 3)], 50)
  expect({ budgetAt, scaleMs }).toEqual({ budgetAt: null, scaleMs: 4 })
  expect(bars.map(({ left, width }) => [left, width])).toEqual([
    [0, 0.25],
    [0.25, 0.75],
  ])
})

test('one that came near the budget shows the line', () => {
  expect(laySteps([step(0, 20)], 50)).toMatchObject({ budgetAt: expect.closeTo(50 / 55) })
  expect(laySteps([step(0, 200)], 50)).toMatchObject({ scaleMs: 200, budgetAt: 0.25 })
})

test('steps without a start follow each other, skipped ones have no bar', () => {
  const { bars } = laySteps([step(null, 1), step(null, 1), step(null, 5, 'not matched')], 50)
  expect(bars.map(({ left }) => left)).toEqual([0, 0.5, null])
})

test('no step is too short to be seen or beyond the right border', () => {
  const { bars } = laySteps([step(0, 10), step(10, 0)], 50)
  for (const { left, width } of bars) {
    expect(width).toBeGreaterThan(0)
    expect(left).toBeLessThan(1)
  }
})
