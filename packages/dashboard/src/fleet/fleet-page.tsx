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
import { Lanes } from './lanes.tsx'
import { STATUSES, StatusMark } from './status-mark.tsx'

/** Gauges move without a change of status. */
const EVERY_MS = 3000
const NOTHING = {}

export function FleetPage() {
  const { id, params } = useView()
  if (id !== null) return <AgentPage key={id} id={id} session={params.get('session')} />
  return <Fleet as={LOOKS.find(look => look === params.get('as')) ?? 'cards'} status={params.get('status')} />
}

const LOOKS = ['cards', 'table', 'lanes'] as const
type Look = (typeof LOOKS)[number]
const LOOK_WORDS: Readonly<Record<Look, string>> = { cards: 'Cards', table: 'Table', lanes: 'Lanes' }

function Fleet({ as, status }: { readonly as: Look; readonly status: string | null }) {
  const fleet = useVerb('fleet.list', NOTHING, { refetchInterval: EVERY_MS })
  if (fleet.data === undefined)
    return fleet.error === null ? <Loading /> : <Problem error={fleet.error} retry={() => void fleet.refetch()} />
  const agents = fleet.data
  if (agents.length === 0) return <NoAgents />
  const shown = status === null ? agents : agents.filter(agent => agent.status === status)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head agents={agents} as={as} status={status} />
      {fleet.error !== null && <Problem error={fleet.error} retry={() => void fleet.refetch()} />}
      <div className="thin-scroll relative min-h-0 flex-1 overflow-auto">
        {as === 'lanes' ? <Lanes /> : <Agents agents={shown} isTable={as === 'table'} status={status} />}
      </div>
    </div>
  )
}

function Agents({
  agents,
  isTable,
  status,
}: {
  readonly agents: readonly FleetAgent[]
  readonly isTable: boolean
  readonly status: string | null
}) {
  if (agents.length === 0) return <p className="p-4 text-quiet">No agent is {status} at present.</p>
  return isTable ? (
    <AgentTable agents={agents} />
  ) : (
    <ul aria-label="Agents" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-3 p-3">
      {agents.map(agent => (
        <AgentCard key={agent.agent} agent={agent} />
      ))}
    </ul>
  )
}

function Head({ agents, as, status }: { readonly agents: readonly FleetAgent[]; readonly as: Look; readonly status: string | null }) {
  const view = as === 'table' ? 'table' : null
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
        {LOOKS.map(look => (
          <Link
            key={look}
            page="fleet"
            params={{ as: look === 'cards' ? null : look, status: look === 'lanes' ? null : status }}
            aria-current={look === as ? 'true' : undefined}
            className={classFor(look === as)}
          >
            {LOOK_WORDS[look]}
          </Link>
        ))}
      </span>
    </nav>
  )
}

function NoAgents() {
  return (
    <Empty title="No agents yet" commands={['belay init', 'belay doctor']}>
      An agent appears here with its first event. In the folder of your project the first command connects the agents it finds, the second
      proves that they call us. To connect one by its name: <span className="mono">belay install claude-code</span>.
    </Empty>
  )
}
