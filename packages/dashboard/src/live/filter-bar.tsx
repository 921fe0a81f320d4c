// Filters of the stream, kept in the URL. What can be chosen is what the newest entries hold.
import { useEffect, useRef, useState } from 'react'
import type { Facet, RecordFacets } from '#page/record.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { type Option, Select, TextField } from '../part/field.tsx'
import { FilterChip } from '../part/filter-chip.tsx'
import { useKeys } from '../part/keys.tsx'
import { plainLine } from '../part/plain-text.ts'
import { FILTERS, type FilterName, useFilter } from './live-filter.ts'

const EVERY_MS = 15_000
const TYPING_MS = 200
const NO_FILTER = {}
const VERDICTS = ['allow', 'deny', 'ask', 'none'].map(value => ({ value, count: null }))
/** Set by links from other pages; shown as something to take away. */
const CHIPS: readonly FilterName[] = ['agentId', 'actor', 'session', 'commitment', 'kind']

export function FilterBar() {
  const filter = useFilter()
  const facets = useVerb('page.facets', NO_FILTER, { refetchInterval: EVERY_MS }).data
  const search = useRef<HTMLInputElement>(null)
  const [text, setText] = useTypedText(filter.text ?? '')
  useKeys({ '/': () => search.current?.focus() })
  const choices: readonly (readonly [FilterName, RecordFacets['tool'] | typeof VERDICTS])[] = [
    ['verdict', VERDICTS],
    ['agent', facets?.agent ?? []],
    ['project', facets?.project ?? []],
    ['tool', facets?.tool ?? []],
  ]
  return (
    <search className="contents">
      <div className="flex min-w-28 max-w-56 flex-1 [&>label]:w-full">
        <TextField
          ref={search}
          label="text"
          hideLabel
          type="search"
          placeholder="Filter by text ( / )"
          value={text}
          onText={setText}
          className="w-full"
        />
      </div>
      <div className="flex min-w-[300px] flex-1 gap-2">
        {choices.map(([name, values]) => (
          <div key={name} className="flex min-w-0 max-w-36 flex-1">
            <Select
              label={name}
              hideLabel
              value={filter[name] ?? ''}
              options={optionsOf(name, values)}
              onValue={value => setParam(name, value)}
              className="w-full"
            />
          </div>
        ))}
      </div>
      {CHIPS.map(name => {
        const value = filter[name]
        return value === undefined ? null : <FilterChip key={name} name={name} value={value} onRemove={() => setParam(name, null)} />
      })}
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" onClick={clear}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** What is being typed goes into the URL when typing rests. */
function useTypedText(kept: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState(kept)
  useEffect(() => setTyped(kept), [kept])
  useEffect(() => {
    if (typed === kept) return
    const timer = setTimeout(() => setParam('text', typed, { replace: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, kept])
  return [typed, setTyped]
}

function optionsOf(name: FilterName, values: readonly (Facet | { readonly value: string; readonly count: null })[]): readonly Option[] {
  // Where nothing is chosen it says what could be.
  const any = { value: '', text: name }
  return [any, ...values.map(({ value }) => ({ value, text: name === 'project' ? lastParts(value) : plainLine(value, 60) }))]
}

function lastParts(path: string): string {
  return plainLine(path.split('/').slice(-2).join('/'), 60)
}

function clear(): void {
  for (const name of FILTERS) setParam(name, null, { replace: true })
}
