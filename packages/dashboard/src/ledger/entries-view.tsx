// Search with facets: what is chosen is in the address, and exports take the same filter.
import { useMemo } from 'react'
import { Link } from '../frame/link.tsx'
import { useView } from '../frame/url.ts'
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { EntryList } from './entry-list.tsx'
import { FacetList } from './facet-list.tsx'
import { readFilter } from './search.ts'
import { SearchBar } from './search-bar.tsx'
import { useEntries } from './use-entries.ts'

export function EntriesView() {
  const { params } = useView()
  const key = JSON.stringify(readFilter(params))
  const filter = useMemo(() => readFilter(new URLSearchParams(Object.entries(JSON.parse(key) as Record<string, string>))), [key])
  const entries = useEntries(filter)
  const isFiltered = key !== '{}'
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <SearchBar filter={filter} />
      {entries.error !== null && <Problem error={entries.error} retry={entries.reload} />}
      {/* Beside an opened event there is no room for it, and the lines must not move. */}
      {!params.has('event') && (
        <details className="shrink-0 border-b bg-surface @4xl:hidden">
          <summary className="min-h-8 px-3 py-1.5 text-quiet">Narrow it down</summary>
          <div className="thin-scroll max-h-[50vh] overflow-y-auto">
            <FacetList filter={filter} />
          </div>
        </details>
      )}
      <div className="flex min-h-0 flex-1">
        <div className="thin-scroll hidden w-56 shrink-0 overflow-y-auto border-r bg-surface @4xl:block">
          <FacetList filter={filter} />
        </div>
        <div className="@container relative flex min-h-0 min-w-0 flex-1 flex-col">
          {entries.isPending && entries.error === null && <Loading />}
          {!entries.isPending && entries.rows.length === 0 && entries.next === null && <Nothing isFiltered={isFiltered} />}
          {entries.rows.length > 0 && <EntryList entries={entries} />}
        </div>
      </div>
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="Nothing matches">
        A <code className="mono">*</code> stands for any text: <code className="mono">tool:mcp__*</code>.{' '}
        <Link page="ledger" className="text-accent underline">
          Show everything
        </Link>
      </Empty>
    )
  return (
    <Empty
      title="The ledger is empty"
      commands={['belay install claude-code', 'belay hooks simulate --tool Bash --args "git push" --actor agent:x']}
    >
      Every decision becomes an entry. Connect an agent, or try what your policy would say.
    </Empty>
  )
}
