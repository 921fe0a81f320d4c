// One agent at a glance: how it stands, what it was asked, what it is at. All cards are of one height: nothing moves when a figure changes.
import { Link } from '../frame/link.tsx'
import { Age } from '../part/age.tsx'
import { plainLine } from '../part/plain-text.ts'
import { TONES, toneOfStatus } from '../part/tone.ts'
import { Context, Doing, Heartbeat, nameOf, nowWord, reasonOf, shortPath, Waiting } from './agent-facts.tsx'
import type { FleetAgent } from './fleet-agent.ts'
import { StatusMark } from './status-mark.tsx'

export function AgentCard({ agent }: { readonly agent: FleetAgent }) {
  const { status, stale, approvals, role, kind, asked, lastEventAt } = agent
  const isAtSomething = nowWord(agent) !== null
  const reason = reasonOf(agent)
  return (
    <li className="relative flex h-54 flex-col gap-1.5 overflow-hidden rounded-md border bg-surface p-3 pl-4 *:shrink-0 hover:bg-hover">
      <span
        aria-hidden="true"
        className={`absolute inset-y-0 left-0 w-1 ${status === 'done' ? 'bg-edge' : TONES[toneOfStatus(approvals > 0 ? 'waits' : status)].fill}`}
      />
      <div className="flex items-center gap-2">
        <Link
          page="fleet"
          id={agent.agent}
          title={plainLine(agent.agent, 120)}
          className="min-w-0 flex-1 truncate font-semibold after:absolute after:inset-0"
        >
          {nameOf(agent)}
        </Link>
        <span className="shrink-0 text-faint text-small">
          <Age time={lastEventAt} />
        </span>
      </div>
      <div className="flex items-center gap-2 text-small">
        <StatusMark status={status} stale={stale} waits={approvals > 0} />
        <span className="min-w-0 truncate text-faint">
          {[kind, role]
            .filter(text => text !== null)
            .map(text => plainLine(text, 40))
            .join(' · ')}
        </span>
        <span className="ml-auto shrink-0">
          <Waiting agent={agent} />
        </span>
      </div>
      <p className="line-clamp-2" title={plainLine(asked ?? '')}>
        {asked === null ? <span className="text-faint">nothing asked yet</span> : plainLine(asked, 200)}
      </p>
      <Work agent={agent} />
      <div className="grid grid-cols-2 gap-2 text-small">
        <span className="flex items-center gap-1.5">
          <span className="text-faint text-tiny">context</span>
          <Context agent={agent} />
        </span>
        {agent.effortId !== null && (
          <span className="flex items-center gap-1.5">
            <span className="text-faint text-tiny">heartbeat</span>
            <Heartbeat agent={agent} />
          </span>
        )}
      </div>
      <p className="mt-auto line-clamp-2 wrap-anywhere text-quiet text-small" title={reason === null ? undefined : plainLine(reason)}>
        <Doing agent={agent} />
        {isAtSomething && reason !== null && ' · '}
        {reason !== null && plainLine(reason, 200)}
      </p>
    </li>
  )
}

/** The work it belongs to, and where it is. */
function Work({ agent: { task, project, skill, effortId, phase } }: { readonly agent: FleetAgent }) {
  const where = task ?? project
  return (
    <p className="flex min-h-5 min-w-0 items-center gap-2 text-quiet text-small">
      <span className="truncate" title={where === null ? undefined : plainLine(where)}>
        {where === null ? 'no project' : shortPath(where)}
      </span>
      {skill !== null && (
        <span className="truncate text-faint">
          {plainLine(skill, 40)} #{effortId}
        </span>
      )}
      {phase !== null && <span className="truncate rounded bg-raised px-1.5">{plainLine(phase, 40)}</span>}
    </p>
  )
}
