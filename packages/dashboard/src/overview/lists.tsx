// What stands out: refused most often, failing, slow, silent.
import type { ReactNode } from 'react'
import type { Overview } from '#page/overview.ts'
import { setParam } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Icon } from '../part/icon.tsx'
import { plainLine, withoutProject } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { Cell, Table, TableRow } from '../part/table.tsx'
import { milliseconds } from '../part/time.ts'

export function TopDenied({ denied }: { readonly denied: Overview['topDenied'] }) {
  const columns = [{ name: 'tool' }, { name: 'denied by' }, { name: 'for example' }, { name: 'times', isNumber: true }]
  return (
    <Panel title="Denied most" isEmpty={denied.length === 0} empty="Nothing was denied in this period.">
      <Table label="Denied most" columns={columns}>
        {denied.map(({ tool, by, place, count, example, project, seq }) => (
          <TableRow key={`${tool} ${by} ${place}`} onOpen={() => setParam('event', String(seq))}>
            <Cell className="whitespace-nowrap font-medium">{plainLine(tool, 60)}</Cell>
            <Cell className="max-w-56 truncate" title={plainLine(by, 200)}>
              <span className="mono">{plainLine(by, 80)}</span> <span className="text-faint text-tiny">{plainLine(place ?? '', 60)}</span>
            </Cell>
            <Cell className="mono max-w-0 w-full truncate">
              <button
                type="button"
                onClick={() => setParam('event', String(seq))}
                className="max-w-full truncate text-left hover:underline"
              >
                {plainLine(withoutProject(example, project), 160)}
              </button>
            </Cell>
            <Cell isNumber>{count.toLocaleString('en')}</Cell>
          </TableRow>
        ))}
      </Table>
    </Panel>
  )
}

export function FailingHooks({ hooks }: { readonly hooks: Overview['failingHooks'] }) {
  const columns = [{ name: 'hook' }, { name: 'last error' }, { name: 'failed', isNumber: true }, { name: 'of', isNumber: true }]
  return (
    <Panel title="Hooks that fail" isEmpty={hooks.length === 0} empty="No hook failed in this period.">
      <Table label="Hooks that fail" columns={columns}>
        {hooks.map(({ hook, event, failures, runs, error, place }) => (
          <TableRow key={`${event} ${hook} ${place}`}>
            <Cell className="max-w-56 truncate" title={plainLine(place ?? '')}>
              <span className="inline-flex items-center gap-1.5">
                <Icon name="failed" size={13} className="striped rounded text-deny" /> {plainLine(hook, 80)}
              </span>
            </Cell>
            <Cell className="mono w-full max-w-0 truncate text-deny" title={plainLine(error ?? '')}>
              {plainLine(error ?? '', 160)}
            </Cell>
            <Cell isNumber>{failures.toLocaleString('en')}</Cell>
            <Cell isNumber>{runs.toLocaleString('en')}</Cell>
          </TableRow>
        ))}
      </Table>
    </Panel>
  )
}

export function SlowHooks({ hooks }: { readonly hooks: Overview['slowHooks'] }) {
  const columns = [
    { name: 'hook' },
    { name: 'event' },
    { name: 'place' },
    { name: 'p99', isNumber: true },
    { name: 'over 50 ms', isNumber: true },
  ]
  return (
    <Panel title="Slow hooks" isEmpty={hooks.length === 0} empty="Every hook stayed within 50 ms.">
      <Table label="Slow hooks" columns={columns}>
        {hooks.map(({ hook, event, p99Ms, overBudget, place }) => (
          <TableRow key={`${event} ${hook} ${place}`}>
            <Cell className="max-w-56 truncate">{plainLine(hook, 80)}</Cell>
            <Cell className="whitespace-nowrap text-quiet">{plainLine(event, 40)}</Cell>
            <Cell className="mono w-full max-w-0 truncate text-faint" title={plainLine(place ?? '')}>
              {plainLine(place?.split('/').slice(-2).join('/') ?? '')}
            </Cell>
            <Cell isNumber className="whitespace-nowrap">
              {milliseconds(p99Ms)}
            </Cell>
            <Cell isNumber>{overBudget.toLocaleString('en')}</Cell>
          </TableRow>
        ))}
      </Table>
    </Panel>
  )
}

export function SilentAgents({ agents }: { readonly agents: Overview['silentAgents'] }) {
  return (
    <Panel title="Agents not calling us" isEmpty={agents.length === 0} empty="No connected agent is silent.">
      <ul className="flex flex-col divide-y divide-line/60">
        {agents.map(({ agent, lastSeenAt, remedy }) => (
          <li key={agent} className="flex flex-wrap items-center gap-x-3 py-1">
            <span className="font-medium">{plainLine(agent, 80)}</span>
            <span className="text-faint">
              {lastSeenAt === null ? (
                'never heard of'
              ) : (
                <>
                  silent for <Age time={lastSeenAt} />
                </>
              )}
            </span>
            <span className="mono ml-auto inline-flex min-w-0 items-center gap-1">
              <span className="truncate">{plainLine(remedy, 200)}</span>
              <CopyButton text={remedy} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Panel({
  title,
  isEmpty,
  empty,
  children,
}: {
  readonly title: string
  readonly isEmpty: boolean
  readonly empty: string
  readonly children: ReactNode
}) {
  return (
    <div className="min-w-0 rounded-md border bg-surface p-3">
      <Section title={title}>{isEmpty ? <p className="text-faint">{empty}</p> : children}</Section>
    </div>
  )
}
