// A canvas that is made once and then fed: new figures are drawn in place. Colours are read from the theme.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../frame/theme.ts'

export interface Paint {
  readonly ink: string
  readonly faint: string
  readonly line: string
  of(name: string): string
}

export interface ChartProps {
  readonly label: string
  readonly data: uPlot.AlignedData
  /** Called again where the colours change; must not change otherwise. */
  readonly describe: (paint: Paint) => Omit<uPlot.Options, 'width' | 'height'>
  /** The place in the data under the pointer; null: none. */
  readonly onPoint: (index: number | null) => void
}

const HEIGHT = 200

export function Chart({ label, data, describe, onPoint }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef({ data, onPoint })
  latest.current = { data, onPoint }
  const isDark = useIsDark()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours, another canvas
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const hooks = { setCursor: [(self: uPlot) => latest.current.onPoint(self.cursor.idx ?? null)] }
    const made = new uPlot(
      { ...describe(readPaint(element)), width: element.clientWidth, height: HEIGHT, hooks },
      latest.current.data,
      element,
    )
    plot.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [describe, isDark])
  useEffect(() => plot.current?.setData(data), [data])
  return <div ref={box} role="img" aria-label={label} className="h-[200px] w-full overflow-hidden" />
}

/** A custom property that depends on the colour scheme has a value only where it is used. */
function readPaint(element: HTMLElement): Paint {
  const probe = document.createElement('span')
  element.append(probe)
  const of = (name: string) => {
    probe.style.color = `var(--color-${name})`
    return getComputedStyle(probe).color
  }
  const known = new Map(NAMES.map(name => [name, of(name)]))
  probe.remove()
  const take = (name: string) => known.get(name) ?? '#808080'
  return { ink: take('ink'), faint: take('faint'), line: take('line'), of: take }
}

const NAMES = ['ink', 'faint', 'line', 'accent', 'allow', 'deny', 'ask', 'none', 'rewrite']
