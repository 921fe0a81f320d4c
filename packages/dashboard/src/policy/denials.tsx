// What was refused or asked about in vain, grouped by what decided and the shape of the call: where a policy gets in the way of work, and
// the two ways out of it, to change the rule or to allow what no rule covers.
import { useState } from 'react'
import type { DenialGroup } from '#page/policy.ts'
import { AlwaysDialog } from '../approvals/always-dialog.tsx'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Cell, Table, TableRow, WIDE, WIDEST } from '../part/table.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'

const COLUMNS = [
  { name: 'verdict' },
  { name: 'decided by', className: WIDEST },
  { name: 'calls like' },
  { name: 'times', isNumber: true },
  { name: 'agents', className: WIDE },
  { name: 'first', isNumber: true, className: WIDEST },
  { name: 'last', isNumber: true, className: WIDE },
  { name: 'what to do' },
]
const EVERY_MS = 10_000

export function Denials({ root }: { readonly root: string }) {
  const found = useVerb('page.denials', { root }, { refetchInterval: EVERY_MS })
  const [allowing, setAllowing] = useState<DenialGroup | null>(null)
  if (found.data === undefined)
    return found.error === null ? (
      <Loading what="Looking through the last week" />
    ) : (
      <Problem error={found.error} retry={() => void found.refetch()} />
    )
  const { groups, days, isPartial } = found.data
  if (groups.length === 0)
    return <Empty title="Nothing was refused">In the last {days} days no call here was denied or left without an answer.</Empty>
  return (
    <div className="flex flex-col gap-2 p-3">
      <p className="text-quiet text-small">
        Refused, or asked about without an answer, in the last {days} days{isPartial ? ', of the newest' : ''}.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Denials" className="thin-scroll relative overflow-x-auto rounded border bg-surface">
        <Table label="Denials" columns={COLUMNS}>
          {groups.map(group => (
            <Group
              key={`${group.by} ${group.place} ${group.tool} ${group.shape} ${group.verdict}`}
              group={group}
              root={root}
              onAllow={setAllowing}
            />
          ))}
        </Table>
      </section>
      {allowing !== null && <Allowing group={allowing} onClose={() => setAllowing(null)} />}
    </div>
  )
}

interface GroupProps {
  readonly group: DenialGroup
  readonly root: string
  readonly onAllow: (group: DenialGroup) => void
}

function Group({ group, root, onAllow }: GroupProps) {
  const { verdict, by, place, tool, shape, count, agents, first, last, rows, reason, isUncovered } = group
  const [newest] = rows
  return (
    <TableRow>
      <Cell>
        <VerdictMark verdict={verdict} plain />
      </Cell>
      <Cell className={`max-w-72 truncate ${WIDEST}`} title={plainLine(reason ?? '')}>
        <span className="mono">{plainLine(by ?? reason ?? '–', 100)}</span>{' '}
        <span className="text-faint text-tiny">{plainLine(place ?? '', 60)}</span>
      </Cell>
      <Cell className="w-full min-w-28 max-w-0 md:truncate lg:min-w-56">
        <button
          type="button"
          onClick={() => newest !== undefined && setParam('event', String(newest.seq))}
          title={plainLine(newest?.summary ?? '')}
          className="max-w-full text-left wrap-anywhere hover:underline md:truncate"
        >
          <span className="font-medium">{plainLine(tool, 40)}</span> <span className="mono">{plainLine(shape, 120)}</span>
          <span className="mono block truncate text-faint text-tiny lg:hidden">{plainLine(by ?? reason ?? '', 100)}</span>
        </button>
      </Cell>
      <Cell isNumber>{count.toLocaleString('en')}</Cell>
      <Cell className={`max-w-40 truncate text-quiet ${WIDE}`} title={plainLine(agents.join(', '))}>
        {plainLine(agents.join(', '), 60)}
      </Cell>
      <Cell isNumber className={`text-faint ${WIDEST}`}>
        <Age time={first} />
      </Cell>
      <Cell isNumber className={`text-faint ${WIDE}`}>
        <Age time={last} />
      </Cell>
      <Cell className="max-md:min-w-28 md:whitespace-nowrap">
        {isUncovered ? (
          <Button onClick={() => onAllow(group)} className="my-1">
            Allow always…
          </Button>
        ) : (
          place !== null && (
            <Link
              page="policy"
              params={{ root, show: 'playground', calls: rows.map(({ seq }) => seq).join(','), line: place.split(':').at(-1) ?? null }}
              className="my-1 inline-flex min-h-7 items-center rounded border bg-surface px-2.5 font-medium text-small hover:bg-hover"
            >
              Change this rule
            </Link>
          )
        )}
      </Cell>
    </TableRow>
  )
}

function Allowing({ group: { rows }, onClose }: { readonly group: DenialGroup; readonly onClose: () => void }) {
  const seq = rows[0]?.seq ?? 0
  const record = useVerb('page.record', { seq })
  if (record.data === undefined || record.data.row.seq !== seq) return record.error === null ? null : <Problem error={record.error} />
  return <AlwaysDialog subject={{ kind: 'record', record: record.data }} suggested={null} onClose={onClose} />
}
