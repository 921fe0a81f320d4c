// Which recorded calls are compared, as a choice beside the button.
import { Select } from '../part/field.tsx'
import { type ChosenRange, RANGES } from './call-range.ts'
import { BOX } from './labelled.tsx'

export interface RangeChoiceProps {
  readonly range: ChosenRange
  readonly onRange: (range: ChosenRange) => void
}

export function RangeChoice({ range, onRange }: RangeChoiceProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <Select label="Compare with" value={range.name} options={RANGES} onValue={name => onRange({ ...range, name })} />
      {range.name === 'between' && (
        <div className="flex flex-wrap items-center gap-2">
          <Time label="From" value={range.since} onValue={since => onRange({ ...range, since })} />
          <Time label="Until" value={range.until} onValue={until => onRange({ ...range, until })} />
        </div>
      )}
    </div>
  )
}

function Time({ label, value, onValue }: { readonly label: string; readonly value: string; readonly onValue: (value: string) => void }) {
  return (
    <label className="inline-flex items-center gap-1.5 text-small">
      <span className="text-quiet">{label}</span>
      <input type="datetime-local" value={value} onChange={event => onValue(event.target.value)} className={`h-8 ${BOX}`} />
    </label>
  )
}
