// The same as rows, for many.
import { Link } from '../frame/link.tsx'
import { go } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Cell, Table, TableRow, WIDE, WIDEST } from '../part/table.tsx'
import { Context, Doing, Heartbeat, nameOf, reasonOf, shortPath, Waiting } from './agent-facts.tsx'
import type { FleetAgent } from './fleet-agent.ts'
import { StatusMark } from './status-mark.tsx'

const COLUMNS = [
  { name: 'agent' },
  { name: 'status' },
  { name: 'asked', className: WIDEST },
  { name: 'task', className: WIDEST },
  { name: 'effort', className: WIDEST },
  { name: 'heartbeat', className: WIDEST },
  { name: 'context', className: WIDE },
  { name: 'doing', className: WIDE },
  { name: 'age', isNumber: true },
  { name: 'why' },
]

export function AgentTable({ agents }: { readonly agents: readonly FleetAgent[] }) {
  return (
    <Table label="Agents" columns={COLUMNS}>
      {agents.map(agent => (
        <TableRow key={agent.agent} onOpen={() => go('fleet', { id: agent.agent })}>
          <Cell className="max-w-56 truncate font-medium">
            <Link page="fleet" id={agent.agent} title={plainLine(agent.agent, 120)} className="hover:underline">
              {nameOf(agent)}
            </Link>
          </Cell>
          <Cell>
            <StatusMark status={agent.status} stale={agent.stale} waits={agent.approvals > 0} />
          </Cell>
          <Cell className={`max-w-64 truncate ${WIDEST}`} title={plainLine(agent.asked ?? '')}>
            {plainLine(agent.asked ?? '–', 200)}
          </Cell>
          <Cell className={`max-w-40 truncate ${WIDEST}`}>{agent.task === null ? '–' : shortPath(agent.task)}</Cell>
          <Cell className={`max-w-44 truncate ${WIDEST}`}>
            {agent.skill === null ? '–' : `${plainLine(agent.skill, 40)} #${agent.effortId}`}
            {agent.phase === null ? '' : `, ${plainLine(agent.phase, 40)}`}
          </Cell>
          <Cell className={WIDEST}>
            <Heartbeat agent={agent} />
          </Cell>
          <Cell className={WIDE}>
            <Context agent={agent} />
          </Cell>
          <Cell className={`max-w-56 truncate text-quiet lg:max-w-72 ${WIDE}`}>
            <Doing agent={agent} />
          </Cell>
          <Cell isNumber className="text-faint">
            <Age time={agent.lastEventAt} />
          </Cell>
          <Cell className="max-w-64 truncate text-quiet" title={plainLine(reasonOf(agent) ?? '')}>
            <Waiting agent={agent} /> {plainLine(reasonOf(agent) ?? '', 120)}
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}
