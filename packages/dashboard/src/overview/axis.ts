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

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
