// How long decisions took, against the budget. The scale is logarithmic: what is usual and what is too slow are far apart.
import { useMemo, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { Minute } from '#page/overview.ts'
import { milliseconds } from '../part/time.ts'
import { timeAxis, timeRange, valueAxis } from './axis.ts'
import { Chart, type Paint } from './chart.tsx'
import { latencyRange, type Step, stepsOf } from './chart-data.ts'
import { Figures } from './figures.tsx'

const BUDGET_MS = 50
const LINES = [
  { name: 'p99', key: 'p99Ms', colour: 'deny', mark: 'bg-deny' },
  { name: 'p90', key: 'p90Ms', colour: 'ask', mark: 'bg-ask' },
  { name: 'p50', key: 'p50Ms', colour: 'accent', mark: 'bg-accent' },
] as const

export function LatencyChart({ minutes }: { readonly minutes: readonly Minute[] }) {
  const [point, setPoint] = useState<number | null>(null)
  const { steps, stepMinutes } = useMemo(() => stepsOf(minutes), [minutes])
  const data = useMemo(
    (): uPlot.AlignedData => [steps.map(({ at }) => at), ...LINES.map(({ key }) => steps.map(step => step[key]))],
    [steps],
  )
  const range = useRef<readonly [number, number]>([0.1, 100])
  range.current = latencyRange(steps, BUDGET_MS)
  const [describe] = useState(() => (paint: Paint) => describeLatency(paint, () => range.current))
  const columns = LINES.map(({ name, key, mark }) => ({ name, mark, write: (step: Step) => milliseconds(step[key]) }))
  return (
    <Figures title="Time to decide" steps={steps} stepMinutes={stepMinutes} point={point} columns={columns}>
      <Chart
        label="Percentiles of the time a decision took; the same as a table below"
        data={data}
        describe={describe}
        onPoint={setPoint}
      />
    </Figures>
  )
}

function describeLatency(paint: Paint, range: () => readonly [number, number]): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    padding: [10, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { range: timeRange }, y: { distr: 3, log: 10, range: () => [...range()] } },
    axes: [timeAxis(paint), { ...valueAxis(paint, writeMs), splits: () => powersOfTen(range()) }],
    series: [
      {},
      ...LINES.map(({ name, colour }) => ({
        label: name,
        stroke: paint.of(colour),
        width: 1.5,
        points: { show: true, size: 3, fill: paint.of(colour) },
      })),
    ],
    plugins: [{ hooks: { draw: self => drawBudget(self, paint) } }],
  }
}

function drawBudget(self: uPlot, paint: Paint): void {
  const { ctx, bbox } = self
  const y = self.valToPos(BUDGET_MS, 'y', true)
  ctx.save()
  ctx.strokeStyle = paint.of('ask')
  ctx.fillStyle = paint.of('ask')
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.font = `${11 * devicePixelRatio}px "Inter Variable", system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  ctx.fillText(`budget ${BUDGET_MS} ms`, bbox.left + 4 * devicePixelRatio, y - 4 * devicePixelRatio)
  ctx.restore()
}

function powersOfTen([low, high]: readonly [number, number]): number[] {
  const first = Math.round(Math.log10(low))
  return Array.from({ length: Math.round(Math.log10(high)) - first + 1 }, (_, index) => 10 ** (first + index))
}

function writeMs(value: number): string {
  return value >= 1000 ? `${value / 1000} s` : `${Number(value.toPrecision(2))} ms`
}
