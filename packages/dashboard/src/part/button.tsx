// Everything one presses looks like this.
import type { ComponentProps } from 'react'
import type { Tone } from './tone.ts'
import { TONES } from './tone.ts'

export type ButtonProps = ComponentProps<'button'> & {
  readonly look?: 'plain' | 'main' | 'quiet'
  readonly tone?: Tone | undefined
  /** Room for a thumb. */
  readonly large?: boolean
}

const LOOKS = {
  plain: 'border bg-surface hover:bg-hover',
  main: 'border border-accent bg-accent text-on-accent hover:opacity-90',
  quiet: 'hover:bg-hover',
} as const

export function Button({ look = 'plain', tone, large = false, className = '', ...rest }: ButtonProps) {
  const colour = tone === undefined ? LOOKS[look] : `border ${TONES[tone].line} ${TONES[tone].text} ${TONES[tone].tint} hover:opacity-85`
  const size = large ? 'min-h-11 px-4 text-base' : 'min-h-7 px-2.5 text-small'
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded font-medium disabled:opacity-50 ${colour} ${size} ${className}`}
    />
  )
}
