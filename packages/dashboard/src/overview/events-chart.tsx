// Events a minute, stacked by verdict.
import { useMemo, useState } from 'react'
import uPlot from 'uplot'
import type { Minute } from '#page/overview.ts'
import { TONES } from '../part/tone.ts'
import { timeAxis, timeRange, valueAxis } from './axis.ts'
import { Chart, type Paint } from './chart.tsx'
import { type Step, stackOf, stepsOf, VERDICTS } from './chart-data.ts'
import { Figures } from './figures.tsx'

const SHOWN = [...VERDICTS].reverse()

export function EventsChart({ minutes }: { readonly minutes: readonly Minute[] }) {
  const [point, setPoint] = useState<number | null>(null)
  const { steps, stepMinutes } = useMemo(() => stepsOf(minutes), [minutes])
  const data = useMemo((): uPlot.AlignedData => [steps.map(({ at }) => at), ...stackOf(steps).map(row => [...row])], [steps])
  const columns = SHOWN.map(verdict => ({ name: verdict, mark: TONES[verdict].fill, write: (step: Step) => count(step.counts[verdict]) }))
  return (
    <Figures title="Events per minute" steps={steps} stepMinutes={stepMinutes} point={point} columns={columns}>
      <Chart label="Events per minute by verdict; the same as a table below" data={data} describe={describe} onPoint={setPoint} />
    </Figures>
  )
}

function describe(paint: Paint): Omit<uPlot.Options, 'width' | 'height'> {
  const bars = uPlot.paths.bars?.({ size: [0.85, 24], align: 1 })
  return {
    padding: [10, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { range: timeRange }, y: { range: (_, _low, high) => [0, Math.max(4, high * 1.05)] } },
    axes: [timeAxis(paint), valueAxis(paint, count)],
    series: [
      {},
      ...SHOWN.map(verdict => ({
        label: verdict,
        fill: paint.of(verdict),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  }
}

function count(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(1)
}
