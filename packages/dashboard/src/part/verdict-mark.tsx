// A verdict: icon, word, colour.
import type { Verdict } from '#page/record.ts'
import { Icon } from './icon.tsx'
import { lookOf, TONES } from './tone.ts'

export interface VerdictMarkProps {
  readonly verdict: Verdict
  readonly rewritten?: boolean
  readonly failed?: boolean
  /** Without the frame, for rows. */
  readonly plain?: boolean
}

export function VerdictMark({ verdict, rewritten = false, failed = false, plain = false }: VerdictMarkProps) {
  const { tone, icon, word } = lookOf(verdict, rewritten)
  const look = TONES[tone]
  const frame = plain ? '' : `rounded px-1.5 ${look.tint}`
  return (
    <span className={`inline-flex items-baseline gap-1 whitespace-nowrap font-medium text-small ${look.text} ${frame}`}>
      <Icon name={icon} size={13} className="translate-y-0.5" />
      <span data-word="">{word}</span>
      {failed && (
        <span className="striped ml-0.5 inline-flex items-center rounded px-0.5 text-deny" title="a hook failed">
          <Icon name="failed" size={12} />
          <span className="sr-only">, a hook failed</span>
        </span>
      )}
    </span>
  )
}
