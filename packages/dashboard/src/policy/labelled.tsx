// A name beside its control, not around it: the text of a textarea is no part of its name.
import { type ReactNode, useId } from 'react'

export const BOX = 'min-w-0 rounded border border-edge/60 bg-surface px-2 text-small'

export function Labelled({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <label htmlFor={id} className="text-quiet text-small">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

export interface SuggestedProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly string[]
  readonly onText: (text: string) => void
}

/** Free text with what is known to choose from. */
export function Suggested({ label, value, choices, onText }: SuggestedProps) {
  const list = useId()
  return (
    <Labelled label={label}>
      {id => (
        <>
          <input
            id={id}
            list={list}
            value={value}
            onChange={event => onText(event.target.value)}
            spellCheck={false}
            autoComplete="off"
            className={`h-8 ${BOX}`}
          />
          <datalist id={list}>
            {choices.map(choice => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        </>
      )}
    </Labelled>
  )
}
