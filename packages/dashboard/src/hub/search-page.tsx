// Entries of all machines by what stands in their heads, and one entry with its proof.
import { useState } from 'react'
import { useParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Select, TextField } from '../part/field.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { useHub } from './ask-hub.ts'
import { EntryPage } from './entry-page.tsx'
import { EntryRows } from './entry-rows.tsx'
import { useHubView } from './hub-url.ts'

const TEXTS = ['machine', 'tool', 'actor', 'kind', 'rule', 'session'] as const
const VERDICTS = [{ value: '', text: 'any verdict' }, ...['deny', 'ask', 'allow', 'none'].map(name => ({ value: name, text: name }))]
const STEP = 100
const MAX = 1000

export function SearchPage() {
  const { rest } = useHubView()
  const [chain, seq] = rest
  if (chain !== undefined && seq !== undefined) return <EntryPage chain={chain} seq={seq} />
  return <Search />
}

function Search() {
  const [limit, setLimit] = useState(STEP)
  const params = new URLSearchParams(location.search)
  const query = Object.fromEntries([...TEXTS, 'verdict', 'day'].map(name => [name, params.get(name)]))
  const found = useHub('/v1/entries', { query: { ...query, limit: String(limit) }, everyMs: 0 })
  return (
    <div className="flex flex-col">
      <search className="flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-2">
        {TEXTS.map(name => (
          <Filter key={name} name={name} />
        ))}
        <Filter name="day" placeholder="2026-01-31" />
        <VerdictFilter />
      </search>
      <p className="px-3 py-1 text-faint text-small">
        Found by whole words in the heads of entries; bodies stay on their machines unless a machine sends them.
      </p>
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined ? (
        <Loading />
      ) : found.data.entries.length === 0 ? (
        <Empty title="Nothing is like that">Take a filter away, or look at another day.</Empty>
      ) : (
        <EntryRows entries={found.data.entries} label="Found" />
      )}
      {found.data !== undefined && found.data.entries.length === limit && limit < MAX && (
        <Button className="m-3 self-start" onClick={() => setLimit(Math.min(MAX, limit * 2))}>
          Show more
        </Button>
      )}
    </div>
  )
}

function Filter({ name, placeholder }: { readonly name: string; readonly placeholder?: string }) {
  const [value, setValue] = useParam(name)
  return (
    <TextField
      label={name}
      value={value ?? ''}
      onText={text => setValue(text === '' ? null : text)}
      className="w-28"
      {...(placeholder !== undefined && { placeholder })}
    />
  )
}

function VerdictFilter() {
  const [value, setValue] = useParam('verdict')
  return <Select label="Verdict" hideLabel value={value ?? ''} options={VERDICTS} onValue={next => setValue(next === '' ? null : next)} />
}
