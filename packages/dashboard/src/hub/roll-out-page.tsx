// Policies of the team: what was published, how far each has come, and where a machine is on another one.
import type { Bundle, Machine } from '#hub/api.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Empty } from '../part/empty.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { Cell, Table, TableRow } from '../part/table.tsx'
import { useHub } from './ask-hub.ts'
import { HubLink } from './hub-link.tsx'
import { hubHref } from './hub-url.ts'
import { PolicyOf, textOf } from './machine-facts.tsx'

const COLUMNS = [
  { name: 'version' },
  { name: 'state' },
  { name: 'for', className: 'max-md:hidden' },
  { name: 'machines', isNumber: true },
  { name: 'new denies', isNumber: true },
  { name: 'by', className: 'max-md:hidden' },
  { name: 'age', isNumber: true },
  { name: 'note', className: 'max-lg:hidden' },
]

export function RollOutPage() {
  const bundles = useHub('/v1/bundles')
  const machines = useHub('/v1/machines').data?.machines ?? []
  if (bundles.data === undefined) return bundles.error === null ? <Loading /> : <Problem error={bundles.error} />
  if (bundles.data.bundles.length === 0)
    return (
      <Empty title="Nothing was published yet" commands={['belay policy key', 'belay policy publish --observe']}>
        A policy of the team is signed by a publisher, whom <code className="mono">belay-hub publisher add</code> lets publish. Until then
        each machine has its own files.
      </Empty>
    )
  const active = machines.filter(({ state }) => state !== 'left' && state !== 'revoked')
  return (
    <div className="flex flex-col gap-6 p-4">
      <Section title="Published">
        <BundleTable bundles={bundles.data.bundles} count={active.length} />
      </Section>
      <Section title="On which policy each machine is">
        <MachineTable machines={active} newest={bundles.data.bundles[0]?.version ?? 0} />
      </Section>
    </div>
  )
}

function BundleTable({ bundles, count }: { readonly bundles: readonly Bundle[]; readonly count: number }) {
  return (
    <Table label="Published policies" columns={COLUMNS}>
      {bundles.map(bundle => (
        <TableRow key={bundle.version}>
          <Cell className="font-medium" title={bundle.hash}>
            {bundle.version}
          </Cell>
          <Cell>
            <BundleState bundle={bundle} />
          </Cell>
          <Cell className="max-md:hidden">{audienceOf(bundle)}</Cell>
          <Cell isNumber>
            {bundle.machines} of {count}
          </Cell>
          <Cell isNumber title="of so many calls judged by this policy and the one before">
            {bundle.calls === 0 ? '–' : `${bundle.newDenies.toLocaleString('en')} of ${bundle.calls.toLocaleString('en')}`}
          </Cell>
          <Cell className="max-md:hidden">{plainLine(bundle.person, 40)}</Cell>
          <Cell isNumber>
            <Age time={bundle.publishedAt} />
          </Cell>
          <Cell className="max-w-80 truncate max-lg:hidden" title={plainLine(bundle.note)}>
            {plainLine(bundle.note, 120)}
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}

function BundleState({ bundle: { haltedAt, haltedWhy, mode, percentage } }: { readonly bundle: Bundle }) {
  if (haltedAt !== null)
    return (
      <Badge tone="deny" title={plainLine(haltedWhy ?? '')}>
        <Icon name="failed" size={12} /> halted
      </Badge>
    )
  if (mode === 'observe') return <Badge tone="rewrite">observed</Badge>
  return <Badge tone={percentage < 100 ? 'ask' : 'allow'}>{percentage < 100 ? `on ${percentage} %` : 'enforced'}</Badge>
}

function audienceOf({ selector, percentage }: Bundle): string {
  const labels = Object.entries(selector).map(([name, value]) => `${name}=${value}`)
  const share = percentage < 100 ? `${percentage} % of ` : ''
  return plainLine(`${share}${labels.length === 0 ? 'all machines' : labels.join(' ')}`, 80)
}

const MACHINE_COLUMNS = [
  { name: 'machine' },
  { name: 'in force' },
  { name: 'seen', isNumber: true },
  { name: 'refused', className: 'max-sm:hidden' },
]

function MachineTable({ machines, newest }: { readonly machines: readonly Machine[]; readonly newest: number }) {
  return (
    <Table label="Policies by machine" columns={MACHINE_COLUMNS}>
      {machines.map(machine => (
        <TableRow key={machine.id}>
          <Cell>
            <HubLink href={hubHref('machines', machine.id)} className="font-medium hover:underline">
              {plainLine(machine.name, 60)}
            </HubLink>
          </Cell>
          <Cell>
            <PolicyOf machine={machine} />
          </Cell>
          <Cell isNumber className={machine.policy.seen === newest ? '' : 'text-ask'}>
            {textOf(machine.policy.seen)} of {newest}
          </Cell>
          <Cell className="max-w-80 truncate text-deny max-sm:hidden">
            {typeof machine.policy.refused === 'string' ? plainLine(machine.policy.refused, 120) : ''}
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}
