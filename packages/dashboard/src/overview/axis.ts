// Axes that can be read: few ticks, clock times, the page's own typeface.
import type uPlot from 'uplot'
import type { Paint } from './chart.tsx'

const FONT = '11px "Inter Variable", system-ui, sans-serif'

export function timeAxis(paint: Paint): uPlot.Axis {
  return {
    stroke: paint.faint,
    font: FONT,
    grid: { show: false },
    ticks: { stroke: paint.line, width: 1, size: 4 },
    space: 70,
    size: 26,
    values: (_, ticks) => ticks.map(tick => CLOCK.format(tick * 1000)),
  }
}

export function valueAxis(paint: Paint, write: (value: number) => string): uPlot.Axis {
  return {
    stroke: paint.faint,
    font: FONT,
    size: 58,
    grid: { stroke: paint.line, width: 1 },
    ticks: { show: false },
    values: (_, ticks) => ticks.map(tick => (tick === null ? '' : write(tick))),
  }
}

/** Room for the bar that begins with the last step. */
export function timeRange({ data: [times] }: uPlot, first: number, last: number): uPlot.Range.MinMax {
  const step = (times[1] ?? 60) - (times[0] ?? 0)
  return [first, last + step]
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
