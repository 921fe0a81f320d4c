// The stream of everything that happens, newest on top.
import { useCallback, useEffect, useState } from 'react'
import { useView } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Icon } from '../part/icon.tsx'
import { useKeys } from '../part/keys.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useFilter } from './live-filter.ts'
import { RunningHooks } from './running-hooks.tsx'
import { StoryPage } from './story-page.tsx'
import { Stream } from './stream-list.tsx'
import { type Rows, useRows } from './use-rows.ts'

const GUIDE_MS = 2500

/** All sessions as they happen, or the story of one. */
export function LivePage() {
  const { id } = useView()
  return id === null ? <LiveStream /> : <StoryPage session={id} />
}

function LiveStream() {
  const filter = useFilter()
  const rows = useRows(filter)
  const [isPaused, setPaused] = useState(false)
  const { shown } = rows
  const isFiltered = Object.keys(filter).length > 0
  const guide = useGuide(shown.isLoaded && !isFiltered, shown.hasAgents || shown.next !== null)
  const toggle = useCallback(() => setPaused(paused => !paused), [])
  useKeys({ p: toggle, ' ': toggle })
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">Live</h1>
      {!guide.isShown && <Controls isPaused={isPaused} waiting={shown.waiting} onToggle={toggle} />}
      <RunningHooks />
      {rows.problem !== null && <Problem error={rows.problem} retry={rows.readAgain} />}
      {guide.isShown ? (
        <ConnectGuide isHeard={guide.isHeard} onContinue={guide.end} />
      ) : (
        <Body rows={rows} isPaused={isPaused} isFiltered={isFiltered} onResume={() => setPaused(false)} />
      )}
    </div>
  )
}

interface ControlsProps {
  readonly isPaused: boolean
  readonly waiting: number
  readonly onToggle: () => void
}

function Controls({ isPaused, waiting, onToggle }: ControlsProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b bg-surface px-3 py-1.5">
      <Button onClick={onToggle} aria-pressed={isPaused} tone={isPaused ? 'ask' : undefined} title="p" className="md:w-24">
        <Icon name={isPaused ? 'play' : 'pause'} size={13} />
        <span className="max-md:sr-only">{isPaused ? 'Resume' : 'Pause'}</span>
      </Button>
      <FilterBar />
      <span role="status" className="ml-auto whitespace-nowrap text-faint text-small">
        {isPaused ? `${waiting.toLocaleString('en')} waiting` : ''}
      </span>
    </div>
  )
}

interface BodyProps {
  readonly rows: Rows
  readonly isPaused: boolean
  readonly isFiltered: boolean
  readonly onResume: () => void
}

function Body({ rows, isPaused, isFiltered, onResume }: BodyProps) {
  const { shown } = rows
  if (!shown.isLoaded) return rows.problem === null ? <Loading what="Reading the newest entries" /> : null
  if (shown.rows === 0 && shown.waiting === 0 && shown.next === null)
    return isFiltered ? (
      <Empty title="Nothing matches">No entry of the ledger passes these filters. New ones that do will show up here.</Empty>
    ) : null
  return <Stream rows={rows} isPaused={isPaused} isFiltered={isFiltered} onResume={onResume} />
}

/** Shown while no agent was ever heard, and a moment longer, so that the check is seen turning green. */
function useGuide(isApplicable: boolean, hasAgents: boolean) {
  const [wasEmpty, setEmpty] = useState(false)
  const isHeard = wasEmpty && hasAgents
  useEffect(() => {
    if (isApplicable && !hasAgents) setEmpty(true)
  }, [isApplicable, hasAgents])
  useEffect(() => {
    if (!isHeard) return
    const timer = setTimeout(() => setEmpty(false), GUIDE_MS)
    return () => clearTimeout(timer)
  }, [isHeard])
  return { isShown: wasEmpty && isApplicable, isHeard, end: () => setEmpty(false) }
}
