// Nothing here yet, and what to do about it.
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

export interface EmptyProps {
  readonly title: string
  /** To type into a terminal. */
  readonly commands?: readonly string[]
  readonly children?: ReactNode
}

export function Empty({ title, commands = [], children }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-lg flex-col gap-3 px-4 py-12">
      <h2 className="font-semibold text-large">{title}</h2>
      {children !== undefined && <div className="text-quiet">{children}</div>}
      {commands.map(command => (
        <div key={command} className="mono flex items-center justify-between gap-2 rounded border bg-surface py-1 pr-1 pl-3">
          <span className="wrap-anywhere">{command}</span>
          <CopyButton text={command} />
        </div>
      ))}
    </div>
  )
}
