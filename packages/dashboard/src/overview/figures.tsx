// A chart with its legend, the figures under the pointer, and the same as a table for whoever does not see it.
import type { ReactNode } from 'react'
import { Section } from '../part/section.tsx'
import type { Step } from './chart-data.ts'

interface FigureColumn {
  readonly name: string
  /** Class of its colour. */
  readonly mark: string
  write(step: Step): string
}

export interface FiguresProps {
  readonly title: string
  readonly steps: readonly Step[]
  readonly stepMinutes: number
  readonly point: number | null
  readonly columns: readonly FigureColumn[]
  readonly children: ReactNode
}

export function Figures({ title, steps, stepMinutes, point, columns, children }: FiguresProps) {
  const step = point === null ? (steps.findLast(isCounted) ?? steps.at(-1)) : steps[point]
  const legend = (
    <span className="flex flex-wrap items-center gap-x-3 text-small">
      <span className="text-faint">{step === undefined ? '' : CLOCK.format(step.at * 1000)}</span>
      {columns.map(({ name, mark, write }) => (
        <span key={name} className="inline-flex items-center gap-1">
          <span aria-hidden="true" className={`size-2 rounded-xs ${mark}`} />
          <span className="text-quiet">{name}</span>
          <span className="inline-block min-w-12 font-medium">{step === undefined ? '' : write(step)}</span>
        </span>
      ))}
    </span>
  )
  return (
    <div className="min-w-0 rounded-md border bg-surface p-3">
      <Section title={stepMinutes > 1 ? `${title}, steps of ${stepMinutes} minutes` : title} aside={legend}>
        {children}
        <StepTable title={title} steps={steps} columns={columns} />
      </Section>
    </div>
  )
}

/** Without a pointer, the newest of which there is something to say. */
function isCounted({ counts }: Step): boolean {
  return Object.values(counts).some(count => count > 0)
}

function StepTable({ title, steps, columns }: Pick<FiguresProps, 'title' | 'steps' | 'columns'>) {
  return (
    <details className="text-small">
      <summary className="w-fit text-faint">as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={`${title} as a table`} className="thin-scroll mt-1 max-h-56 overflow-auto">
        <table className="w-full text-right">
          <thead>
            <tr className="text-faint">
              <th scope="col" className="text-left font-medium">
                time
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.toReversed().map(step => (
              <tr key={step.at}>
                <th scope="row" className="text-left font-normal">
                  {CLOCK.format(step.at * 1000)}
                </th>
                {columns.map(({ name, write }) => (
                  <td key={name}>{write(step)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
