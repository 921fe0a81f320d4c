// What is looked for, what is chosen, and the same as a file.
import { useEffect, useRef, useState } from 'react'
import type { RecordFilter } from '#page/record.ts'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Select } from '../part/field.tsx'
import { FilterChip } from '../part/filter-chip.tsx'
import { Icon } from '../part/icon.tsx'
import { useKeys } from '../part/keys.tsx'
import { dayAndClock } from '../part/time.ts'
import { ExportButtons } from './export-buttons.tsx'
import { type FilterKey, readSearch } from './search.ts'

const SPANS = [
  { value: '', text: 'any time' },
  { value: '1h', text: 'last hour' },
  { value: '1d', text: 'last day' },
  { value: '7d', text: 'last week' },
]

export function SearchBar({ filter }: { readonly filter: RecordFilter }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(filter.text ?? '')
  useEffect(() => setTyped(filter.text ?? ''), [filter.text])
  useKeys({ '/': () => input.current?.focus() })
  const chips = Object.entries(filter).filter(([name]) => name !== 'text')
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-2 border-b bg-surface px-3 py-1.5">
      <form
        className="flex min-w-0 flex-1 basis-72 items-center gap-2"
        onSubmit={event => {
          event.preventDefault()
          search(typed)
        }}
      >
        <label className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded border border-edge/60 bg-ground px-2 focus-within:border-accent">
          <Icon name="search" size={14} className="text-faint" />
          <span className="sr-only">Search the ledger</span>
          <input
            ref={input}
            type="search"
            value={typed}
            onChange={event => setTyped(event.target.value)}
            placeholder="rm -rf  tool:Bash  verdict:deny  since:2d"
            spellCheck={false}
            autoComplete="off"
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
        </label>
        <Button type="submit">Search</Button>
      </form>
      <Select
        label="when"
        hideLabel
        value={filter.since === undefined ? '' : 'since'}
        options={filter.since === undefined ? SPANS : [...SPANS, { value: 'since', text: `since ${dayAndClock(filter.since)}` }]}
        onValue={span =>
          setParam('since', span === '' ? null : (readSearch(`since:${span}`, Date.now()).since ?? null), { replace: false })
        }
      />
      <ExportButtons filter={filter} />
      {chips.length > 0 && <Chips chips={chips} />}
    </search>
  )
}

/** Facets that were typed join those that are chosen. */
function search(typed: string): void {
  const { text, ...facets } = readSearch(typed, Date.now())
  for (const [name, value] of Object.entries(facets) as [FilterKey, string][]) setParam(name, value, { replace: true })
  setParam('text', text ?? null, { replace: false })
}

function Chips({ chips }: { readonly chips: readonly (readonly [string, unknown])[] }) {
  return (
    <div className="flex w-full flex-wrap gap-1.5">
      {chips.map(([name, value]) => (
        <FilterChip key={name} name={name} value={String(value)} onRemove={() => setParam(name, null, { replace: false })} />
      ))}
    </div>
  )
}
