// Every machine of the team: when it was heard of, what runs there, how far behind it is, and what is to be said about it.
import type { HubApi, Machine } from '#hub/api.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Cell, Table, TableRow } from '../part/table.tsx'
import { useHub } from './ask-hub.ts'
import { HubLink } from './hub-link.tsx'
import { goHub, hubHref, useHubView } from './hub-url.ts'
import { MachineDetail } from './machine-detail.tsx'
import { MachineState, PolicyOf, textOf, unseenOf } from './machine-facts.tsx'

/** What does not fit on a phone stands on the machine's own page. */
const WIDE = 'max-lg:hidden'
const COLUMNS = [
  { name: 'machine' },
  { name: 'state' },
  { name: 'last seen', isNumber: true },
  { name: 'version', className: WIDE },
  { name: 'policy', className: 'max-md:hidden' },
  { name: 'entries', isNumber: true, className: WIDE },
  { name: 'lag', isNumber: true, className: 'max-md:hidden' },
  { name: 'unseen', isNumber: true, className: 'max-md:hidden' },
  { name: 'findings', className: 'max-sm:hidden' },
]

export function MachinesPage() {
  const { rest } = useHubView()
  const found = useHub('/v1/machines')
  const fleet = useHub('/v1/fleet', { everyMs: 5000 })
  if (found.data === undefined) return found.error === null ? <Loading /> : <Problem error={found.error} />
  const { machines } = found.data
  const chosen = machines.find(({ id }) => id === rest[0])
  if (rest[0] !== undefined) {
    const work = fleet.data?.machines.find(({ machine }) => machine === rest[0])
    return chosen === undefined ? <Empty title="There is no such machine" /> : <MachineDetail machine={chosen} work={work} />
  }
  if (machines.length === 0)
    return (
      <Empty title="No machine has joined yet" commands={['belay-hub token join']}>
        That makes a token; on the machine <code className="mono">belay join URL TOKEN</code> joins with it.
      </Empty>
    )
  return <MachineTable machines={machines} fleet={fleet.data?.machines ?? []} />
}

interface TableProps {
  readonly machines: readonly Machine[]
  readonly fleet: HubApi['/v1/fleet']['machines']
}

function MachineTable({ machines, fleet }: TableProps) {
  return (
    <Table label="Machines" columns={COLUMNS}>
      {machines.map(machine => (
        <TableRow key={machine.id} onOpen={() => goHub('machines', machine.id)}>
          <Cell className="max-w-64">
            <HubLink href={hubHref('machines', machine.id)} title={machine.id} className="font-medium hover:underline">
              {plainLine(machine.name, 60)}
            </HubLink>
            <span className="ml-2 text-faint text-small max-md:hidden">{labelsOf(machine)}</span>
            <span className="ml-2 text-faint text-small max-lg:hidden">{agentsOf(machine, fleet)}</span>
          </Cell>
          <Cell>
            <MachineState machine={machine} />
          </Cell>
          <Cell isNumber>{machine.lastSeen === null ? 'never' : <Age time={machine.lastSeen} />}</Cell>
          <Cell className={WIDE}>{textOf(machine.status.version)}</Cell>
          <Cell className="max-md:hidden">
            <PolicyOf machine={machine} />
          </Cell>
          <Cell isNumber className={WIDE}>
            {machine.entries.toLocaleString('en')}
          </Cell>
          <Cell isNumber className={`max-md:hidden ${machine.lag > 1000 ? 'text-ask' : ''}`}>
            {machine.lag.toLocaleString('en')}
          </Cell>
          <Cell isNumber className={`max-md:hidden ${unseenOf(machine) > 0 ? 'text-ask' : ''}`}>
            {unseenOf(machine).toLocaleString('en')}
          </Cell>
          <Cell className="max-w-80 truncate max-sm:hidden" title={plainLine(machine.problems.map(({ what }) => what).join('; '))}>
            {machine.problems.map(({ kind }) => (
              <span key={kind} className="mr-1">
                <Badge tone="deny">{kind.replaceAll('_', ' ')}</Badge>
              </span>
            ))}
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}

function labelsOf({ labels }: Machine): string {
  return plainLine(
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    80,
  )
}

function agentsOf({ id }: Machine, fleet: TableProps['fleet']): string {
  const count = fleet.find(({ machine }) => machine === id)?.agents.length ?? 0
  return count === 0 ? '' : `${count} ${count === 1 ? 'agent' : 'agents'}`
}
