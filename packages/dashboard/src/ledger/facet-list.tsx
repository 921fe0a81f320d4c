// How the entries that match divide, by verdict, kind, tool, agent, actor and project. A press narrows, a second one widens again.
import type { RecordFilter } from '#page/record.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { setParam } from '../frame/url.ts'
import { Icon } from '../part/icon.tsx'
import { plainLine } from '../part/plain-text.ts'
import { FACETS, type FacetName } from './search.ts'

const MOST = 8

export function FacetList({ filter }: { readonly filter: RecordFilter }) {
  const facets = useVerb('page.facets', { filter }).data
  if (facets === undefined) return null
  return (
    <div className="flex flex-col gap-3 p-3">
      {FACETS.map(name => (
        <fieldset key={name}>
          <legend className="pb-0.5 font-medium text-faint text-small">{name}</legend>
          {withChosen(facets[name], filter[name]).map(({ value, count }) => (
            <FacetButton key={value} name={name} value={value} count={count} isChosen={filter[name] === value} />
          ))}
        </fieldset>
      ))}
      <p className="text-faint text-tiny">
        counted over {facets.isPartial ? 'the newest ' : ''}
        {facets.counted.toLocaleString('en')} entries
      </p>
    </div>
  )
}

interface FacetButtonProps {
  readonly name: FacetName
  readonly value: string
  readonly count: number
  readonly isChosen: boolean
}

function FacetButton({ name, value, count, isChosen }: FacetButtonProps) {
  const shown = name === 'project' ? value.split('/').filter(Boolean).slice(-2).join('/') : value
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={plainLine(value, 200)}
      onClick={() => setParam(name, isChosen ? null : value, { replace: false })}
      className={`flex h-6 w-full items-center gap-1 rounded px-1.5 text-left text-small ${isChosen ? 'bg-chosen font-medium' : 'hover:bg-hover'}`}
    >
      <span className="min-w-0 flex-1 truncate">{plainLine(shown, 80)}</span>
      {isChosen ? <Icon name="close" size={11} /> : <span className="text-faint">{count.toLocaleString('en')}</span>}
    </button>
  )
}

type Counted = { readonly value: string; readonly count: number }

/** What is chosen can always be taken away again. */
function withChosen(facets: readonly Counted[], chosen: string | undefined): readonly Counted[] {
  const most = facets.slice(0, MOST)
  if (chosen === undefined || most.some(({ value }) => value === chosen)) return most
  return [facets.find(({ value }) => value === chosen) ?? { value: chosen, count: 0 }, ...most]
}
