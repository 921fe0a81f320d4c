// Every agent, what needs a person first; or the history of one of them.
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { useView } from '../frame/url.ts'
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { AgentCard } from './agent-card.tsx'
import { AgentPage } from './agent-page.tsx'
import { AgentTable } from './agent-table.tsx'
import type { FleetAgent } from './fleet-agent.ts'
import { STATUSES, StatusMark } from './status-mark.tsx'

/** Gauges move without a change of status. */
const EVERY_MS = 3000
const NOTHING = {}

export function FleetPage() {
  const { id, params } = useView()
  if (id !== null) return <AgentPage key={id} id={id} session={params.get('session')} />
  return <Fleet isTable={params.get('as') === 'table'} status={params.get('status')} />
}

function Fleet({ isTable, status }: { readonly isTable: boolean; readonly status: string | null }) {
  const fleet = useVerb('fleet.list', NOTHING, { refetchInterval: EVERY_MS })
  if (fleet.data === undefined)
    return fleet.error === null ? <Loading /> : <Problem error={fleet.error} retry={() => void fleet.refetch()} />
  const agents = fleet.data
  if (agents.length === 0) return <NoAgents />
  const shown = status === null ? agents : agents.filter(agent => agent.status === status)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head agents={agents} isTable={isTable} status={status} />
      {fleet.error !== null && <Problem error={fleet.error} retry={() => void fleet.refetch()} />}
      <div className="thin-scroll relative min-h-0 flex-1 overflow-auto">
        {shown.length === 0 && <p className="p-4 text-quiet">No agent is {status} at present.</p>}
        {isTable ? (
          <AgentTable agents={shown} />
        ) : (
          <ul aria-label="Agents" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-3 p-3">
            {shown.map(agent => (
              <AgentCard key={agent.agent} agent={agent} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function Head({
  agents,
  isTable,
  status,
}: {
  readonly agents: readonly FleetAgent[]
  readonly isTable: boolean
  readonly status: string | null
}) {
  const view = isTable ? 'table' : null
  const classFor = (isHere: boolean) => `flex min-h-7 items-center gap-1.5 rounded px-2 ${isHere ? 'bg-chosen' : 'hover:bg-hover'}`
  return (
    <nav aria-label="Which agents" className="flex shrink-0 flex-wrap items-center gap-1 border-b bg-surface px-3 py-1">
      <Link page="fleet" params={{ as: view }} aria-current={status === null ? 'true' : undefined} className={classFor(status === null)}>
        all {agents.length}
      </Link>
      {STATUSES.map(name => (
        <Link
          key={name}
          page="fleet"
          params={{ as: view, status: name }}
          aria-current={status === name ? 'true' : undefined}
          className={classFor(status === name)}
        >
          <StatusMark status={name} plain /> {agents.filter(agent => agent.status === name).length}
        </Link>
      ))}
      <span className="ml-auto flex gap-1">
        <Link page="fleet" params={{ status }} aria-current={isTable ? undefined : 'true'} className={classFor(!isTable)}>
          Cards
        </Link>
        <Link page="fleet" params={{ as: 'table', status }} aria-current={isTable ? 'true' : undefined} className={classFor(isTable)}>
          Table
        </Link>
      </span>
    </nav>
  )
}

function NoAgents() {
  return (
    <Empty title="No agents yet" commands={['belay install claude-code', 'belay doctor claude-code', 'claude']}>
      Connect one, check that it is connected, and start it. It appears here with its first event.
    </Empty>
  )
}
