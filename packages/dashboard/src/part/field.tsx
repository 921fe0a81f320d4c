// What one types into or chooses from; always with a label.
import type { ChangeEvent, ComponentProps } from 'react'
import { Icon } from './icon.tsx'
import { plainLine } from './plain-text.ts'

type Shared = { readonly label: string; readonly hideLabel?: boolean }

const BOX = 'h-7 min-w-0 rounded border border-edge/60 bg-surface px-2 text-small text-ink'

export type TextFieldProps = Shared & Omit<ComponentProps<'input'>, 'onChange'> & { readonly onText: (text: string) => void }

export function TextField({ label, hideLabel = false, onText, className = '', ...rest }: TextFieldProps) {
  return (
    <label className="inline-flex min-w-0 items-center gap-1.5 text-small">
      <span className={hideLabel ? 'sr-only' : 'text-quiet'}>{label}</span>
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        {...rest}
        onChange={event => onText(event.target.value)}
        className={`${BOX} ${className}`}
      />
    </label>
  )
}

export interface Option {
  readonly value: string
  readonly text: string
}

export type SelectProps = Shared & {
  readonly value: string
  readonly options: readonly Option[]
  readonly onValue: (value: string) => void
  readonly className?: string
}

export function Select({ label, hideLabel = false, value, options, onValue, className = '' }: SelectProps) {
  const isKnown = options.some(option => option.value === value)
  return (
    <label className="inline-flex min-w-0 grow items-center gap-1.5 text-small">
      <span className={hideLabel ? 'sr-only' : 'text-quiet'}>{label}</span>
      <span className={`relative inline-flex min-w-0 items-center ${className}`}>
        <select
          value={value}
          onChange={(event: ChangeEvent<HTMLSelectElement>) => onValue(event.target.value)}
          className={`${BOX} w-full appearance-none truncate pr-6`}
        >
          {!isKnown && <option value={value}>{plainLine(value, 60)}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <Icon name="down" size={13} className="pointer-events-none absolute right-1.5 text-faint" />
      </span>
    </label>
  )
}
