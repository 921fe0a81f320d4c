// The daemon is away: how old the data is, what still works, what happens next.
import { useEffect } from 'react'
import type { Frame } from '#page/overview.ts'
import { useStreamState } from '../daemon/stream.ts'
import { useOwnNow } from '../part/age.tsx'
import { Empty } from '../part/empty.tsx'
import { plainLine } from '../part/plain-text.ts'
import { clock } from '../part/time.ts'
import { keepWanted } from './wanted-view.ts'

/** A restart takes less than this; nothing should flash or move. */
const PATIENCE_MS = 700

export function Banner({ dataAt }: { readonly dataAt: number }) {
  const { state, since } = useStreamState()
  const now = useOwnNow()
  if (state !== 'reconnecting' || since === null || now - since < PATIENCE_MS) return null
  return (
    <div role="status" className="flex shrink-0 flex-wrap gap-x-3 border-b bg-ask-tint px-3 py-1 text-ask text-small">
      <strong>Reconnecting to the daemon.</strong>
      <span>
        {dataAt > 0 && `Data from ${clock(Math.max(dataAt, since))}. `}Agents are still guarded: their hooks judge alone.{' '}
        <span className="mono">belay up</span> starts it.
      </span>
    </div>
  )
}

/** An agent escapes the guard: said on every page, with what to do about it. */
export function Unguarded({ found }: { readonly found: Frame['unguarded'] }) {
  const [first, ...others] = found
  if (first === undefined) return null
  const { agent, message, remedy } = first
  return (
    <div role="alert" className="flex shrink-0 flex-wrap gap-x-3 border-b bg-deny-tint px-3 py-1 text-deny text-small">
      <strong>Not guarded{agent === null ? '' : `: ${plainLine(agent, 40)}`}.</strong>
      <span className="min-w-0 break-words">
        {plainLine(message, 300)}
        {others.length > 0 && ` And ${others.length} more: `}
        {others.length > 0 && <span className="mono">belay doctor</span>}
      </span>
      {remedy !== null && <span className="mono">{plainLine(remedy, 200)}</span>}
    </div>
  )
}

export function SessionEnded() {
  useEffect(() => keepWanted(localStorage, location.pathname + location.search, Date.now()), [])
  return (
    <main>
      <Empty title="This session has ended" commands={['belay dashboard']}>
        The link that opened this page is used up, or the daemon forgot it. Ask for a new one in a terminal; it leads back to where you are
        now.
      </Empty>
    </main>
  )
}

export function NoSuchPage() {
  return (
    <Empty title={`There is nothing at ${plainLine(location.pathname, 120)}`}>
      The menu leads to every page. The search above{' '}
      <span className="max-md:hidden">
        (<span className="mono">Ctrl K</span>)
      </span>{' '}
      finds agents, events and requests.
    </Empty>
  )
}
