// One machine: its whole status, its agents and efforts, and a check of everything the hub holds of it.
import { useQuery } from '@tanstack/react-query'
import type { HubApi, Machine } from '#hub/api.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { Age } from '../part/age.tsx'
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { Cell, Table, TableRow } from '../part/table.tsx'
import { briefly, dayAndClock } from '../part/time.ts'
import { addressOf, askHub } from './ask-hub.ts'
import { Fact, FactList } from './fact-list.tsx'
import { HubLink } from './hub-link.tsx'
import { hubHref } from './hub-url.ts'
import { MachineState, PolicyOf, textOf, unseenOf } from './machine-facts.tsx'

type Work = HubApi['/v1/fleet']['machines'][number]

export function MachineDetail({ machine, work }: { readonly machine: Machine; readonly work: Work | undefined }) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <header className="flex flex-wrap items-center gap-3">
        <HubLink href={hubHref('machines')} className="text-quiet hover:text-ink">
          Machines
        </HubLink>
        <h2 className="font-semibold text-large">{plainLine(machine.name, 80)}</h2>
        <MachineState machine={machine} />
        <HubLink href={`${hubHref('search')}?machine=${encodeURIComponent(machine.name)}`} className="text-accent underline">
          its entries
        </HubLink>
      </header>
      {machine.problems.length > 0 && (
        <Section title="Findings">
          <ul className="flex flex-col gap-1">
            {machine.problems.map(({ kind, what }) => (
              <li key={`${kind} ${what}`} className="flex gap-2 rounded bg-deny-tint px-3 py-1.5 text-deny">
                <Icon name="failed" size={14} /> <span className="shrink-0 font-medium">{kind.replaceAll('_', ' ')}</span>
                <span className="wrap-anywhere">{plainLine(what, 300)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Status">
        <Status machine={machine} />
      </Section>
      <Section title="Ledger">
        <Check machine={machine} />
      </Section>
      <Section title={`Agents${work === undefined ? '' : `, as it said ${dayAndClock(work.at)}`}`}>
        <Agents work={work} />
      </Section>
      {work !== undefined && work.efforts.length > 0 && (
        <Section title="Efforts">
          <Efforts work={work} />
        </Section>
      )}
    </div>
  )
}

function Status({ machine }: { readonly machine: Machine }) {
  const { status, policy } = machine
  const head = (status.head as { readonly seq?: number } | undefined)?.seq
  const labels = Object.entries(machine.labels).map(([name, value]) => `${name}=${value}`)
  return (
    <FactList>
      <Fact name="id">
        <code className="mono">{machine.id}</code>
      </Fact>
      <Fact name="labels">{labels.length === 0 ? '–' : plainLine(labels.join(' '), 200)}</Fact>
      <Fact name="last seen">{machine.lastSeen === null ? 'never' : <Age time={machine.lastSeen} />}</Fact>
      <Fact name="version">{textOf(status.version)}</Fact>
      <Fact name="platform">
        {textOf(status.platform)}, Node {textOf(status.node)}
      </Fact>
      <Fact name="agents found">{agentsSeen(status.agentsFound)}</Fact>
      <Fact name="agents guarded">{agentsSeen(status.agents)}</Fact>
      <Fact name="policy of the team">
        <PolicyOf machine={machine} />
      </Fact>
      <Fact name="policy refused">{textOf(policy.refused)}</Fact>
      <Fact name="sends">{textOf(status.upload)}</Fact>
      <Fact name="ledger head">{textOf(head)}</Fact>
      <Fact name="held by the hub">{machine.entries.toLocaleString('en')}</Fact>
      <Fact name="cosigned">{machine.cosigned.toLocaleString('en')}</Fact>
      <Fact name="waits to be sent">{machine.lag.toLocaleString('en')} entries</Fact>
      <Fact name="oldest of them">{typeof status.oldestUnsentAt === 'string' ? <Age time={status.oldestUnsentAt} /> : '–'}</Fact>
      <Fact name="unseen">{unseenOf(machine).toLocaleString('en')}</Fact>
      <Fact name="clock">{skewOf(status.skewMs)}</Fact>
      <Fact name="last error">{textOf(status.lastError)}</Fact>
    </FactList>
  )
}

function agentsSeen(agents: unknown): string {
  const list = Array.isArray(agents) ? agents.filter(each => typeof each === 'string') : []
  return list.length === 0 ? 'none yet' : list.map(each => plainLine(each, 40)).join(', ')
}

/** Less is the way of the message. */
const SAME_MS = 5000

function skewOf(skew: unknown): string {
  if (typeof skew !== 'number') return '–'
  if (Math.abs(skew) < SAME_MS) return "as the hub's"
  return `${briefly(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the hub's`
}

function Check({ machine }: { readonly machine: Machine }) {
  const address = addressOf('/v1/verify', { machine: machine.id })
  const check = useQuery<HubApi['/v1/verify'], DaemonError>({
    queryKey: ['check', machine.id],
    queryFn: ({ signal }) => askHub('GET', address, undefined, signal),
    enabled: false,
  })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-quiet">
        Every hash worked out anew, every row held against it, the last checkpoint and both signatures.{' '}
        <Button onClick={() => void check.refetch()} disabled={check.isFetching}>
          {check.isFetching ? 'Checking …' : 'Check now'}
        </Button>
      </p>
      {check.error !== null && <Problem error={check.error} />}
      {check.data !== undefined && (
        <ul role="status" className="flex flex-col gap-1">
          {check.data.chains.map(({ origin, epoch, entries, held, problems }) => (
            <li key={`${origin} ${epoch}`} className={problems.length === 0 ? 'text-allow' : 'text-deny'}>
              <Icon name={problems.length === 0 ? 'allow' : 'failed'} size={13} className="mr-1 inline" />
              {problems.length === 0 ? 'whole' : problems.map(({ what }) => plainLine(what, 200)).join('; ')}:{' '}
              {entries.toLocaleString('en')} entries, {held.toLocaleString('en')} with more than their hash{' '}
              <span className="mono text-faint wrap-anywhere">{plainLine(origin, 80)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const AGENT_COLUMNS = [{ name: 'agent' }, { name: 'status' }, { name: 'kind', className: 'max-sm:hidden' }, { name: 'age', isNumber: true }]

function Agents({ work }: { readonly work: Work | undefined }) {
  if (work === undefined || work.agents.length === 0) return <p className="text-faint">None that this machine speaks of.</p>
  return (
    <Table label="Agents" columns={AGENT_COLUMNS}>
      {work.agents.map(agent => (
        <TableRow key={String(agent.agent)}>
          <Cell className="max-w-56 truncate font-medium">{textOf(agent.label ?? agent.agent)}</Cell>
          <Cell>{textOf(agent.status)}</Cell>
          <Cell className="max-sm:hidden">{textOf(agent.agent_kind)}</Cell>
          <Cell isNumber>{typeof agent.last_event_at === 'string' ? <Age time={agent.last_event_at} /> : '–'}</Cell>
        </TableRow>
      ))}
    </Table>
  )
}

const EFFORT_COLUMNS = [{ name: 'effort' }, { name: 'phase' }, { name: 'title' }, { name: 'belongs to' }]

function Efforts({ work }: { readonly work: Work }) {
  return (
    <Table label="Efforts" columns={EFFORT_COLUMNS}>
      {work.efforts.map(effort => (
        <TableRow key={String(effort.id)}>
          <Cell className="mono">{textOf(effort.effort)}</Cell>
          <Cell>{textOf(effort.phase)}</Cell>
          <Cell className="max-w-80 truncate">{textOf(effort.title)}</Cell>
          <Cell>{effort.takenBy === null ? (effort.isOffered === true ? 'may be taken up' : 'this machine') : textOf(effort.takenBy)}</Cell>
        </TableRow>
      ))}
    </Table>
  )
}
