// A part of a whole, 0 to 1, with its figure beside it.

export interface GaugeProps {
  readonly value: number | null
  readonly label: string
  /** What stands beside the bar; default the percentage. */
  readonly text?: string
}

export function Gauge({ value, label, text }: GaugeProps) {
  const share = value === null ? 0 : Math.min(1, Math.max(0, value))
  const tone = share >= 0.9 ? 'bg-deny' : share >= 0.7 ? 'bg-ask' : 'bg-allow'
  const said = text ?? (value === null ? '–' : `${Math.round(share * 100)} %`)
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className="inline-block h-1.5 w-14 overflow-hidden rounded-full bg-none-tint">
        <span className={`block h-full origin-left ${tone}`} style={{ transform: `scaleX(${share})` }} />
      </span>
      <span className="text-quiet text-small">
        <span className="sr-only">{label} </span>
        {said}
      </span>
    </span>
  )
}
