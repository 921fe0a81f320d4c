// The hub's own record: who did what to the team, and who tried what they may not. For administrators.
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Cell, Table, TableRow } from '../part/table.tsx'
import { dayAndClock } from '../part/time.ts'
import { useHub } from './ask-hub.ts'

const COLUMNS = [
  { name: '#', isNumber: true },
  { name: 'when', className: 'max-md:hidden' },
  { name: 'who' },
  { name: 'what' },
  { name: 'more', className: 'max-md:hidden' },
]

export function ActsPage() {
  const found = useHub('/v1/acts', { everyMs: 5000 })
  if (found.data === undefined) return found.error === null ? <Loading /> : <Problem error={found.error} />
  if (found.data.acts.length === 0) return <Empty title="Nothing was done yet" />
  return (
    <Table label="Acts" columns={COLUMNS}>
      {found.data.acts.map(({ seq, time, actor, kind, body }) => (
        <TableRow key={seq}>
          <Cell isNumber>{seq}</Cell>
          <Cell className="whitespace-nowrap text-faint max-md:hidden">{dayAndClock(time)}</Cell>
          <Cell className="max-w-48 truncate">{plainLine(actor, 60)}</Cell>
          <Cell className={`whitespace-nowrap ${kind.endsWith('refused') ? 'text-deny' : ''}`}>
            {plainLine(kind.replaceAll('_', ' '), 60)}
          </Cell>
          <Cell className="mono max-w-0 w-full truncate max-md:hidden" title={plainLine(JSON.stringify(body))}>
            {plainLine(JSON.stringify(body), 200)}
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}
