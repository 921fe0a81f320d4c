// A titled part of a page.
import type { ReactNode } from 'react'

export interface SectionProps {
  readonly title: string
  /** Right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h3 className="font-semibold text-small text-quiet">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
