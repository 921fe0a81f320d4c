// A short word with a colour of the family.
import type { ReactNode } from 'react'
import { TONES, type Tone } from './tone.ts'

export function Badge({ tone = 'none', title, children }: { readonly tone?: Tone; readonly title?: string; readonly children: ReactNode }) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded px-1.5 text-small ${TONES[tone].text} ${TONES[tone].tint}`}
    >
      {children}
    </span>
  )
}
