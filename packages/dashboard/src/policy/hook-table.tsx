// Hooks in the order they run, with their time against the budget.
import type { HookView, PolicyView } from '#page/policy.ts'
import { useParam } from '../frame/url.ts'
import { Badge } from '../part/badge.tsx'
import { Empty } from '../part/empty.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Cell, type Column, Table, TableRow } from '../part/table.tsx'
import { milliseconds } from '../part/time.ts'
import { marksOfHook } from './group-rules.ts'
import { MarkedCell } from './marks.tsx'
import { OnlyMarked } from './only-marked.tsx'
import { shortPlace } from './short-place.ts'

export function HookTable({ policy }: { readonly policy: PolicyView }) {
  const [only] = useParam('only')
  const { hooks, budgetMs, root } = policy
  const shown = hooks.filter(hook => only === null || marksOfHook(hook, budgetMs).length > 0)
  if (hooks.length === 0)
    return (
      <Empty title="No hooks" commands={['belay genesis show', 'belay guardrails list']}>
        Hooks run around calls: they capture evidence, rewrite, check, ask. They stand in genesis.key under{' '}
        <code className="mono">hooks</code>.
      </Empty>
    )
  return (
    <div className="flex flex-col gap-3 p-3">
      <OnlyMarked text="only hooks that fail, are slow, or never ran" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Hooks" className="thin-scroll relative overflow-x-auto rounded border bg-surface">
        <Table label="Hooks" columns={columnsFor(budgetMs)}>
          {shown.map(hook => (
            <HookRow key={hook.id} hook={hook} budgetMs={budgetMs} root={root} />
          ))}
        </Table>
      </section>
    </div>
  )
}

function columnsFor(budgetMs: number): readonly Column[] {
  return [
    { name: 'event' },
    { name: 'hook' },
    { name: 'type' },
    { name: 'matcher' },
    { name: 'scope' },
    { name: 'place' },
    { name: 'runs', isNumber: true },
    { name: 'p50', isNumber: true },
    { name: `p99 of ${budgetMs} ms` },
    { name: 'notes' },
  ]
}

interface HookRowProps {
  readonly hook: HookView
  readonly budgetMs: number
  readonly root: string
}

function HookRow({ hook, budgetMs, root }: HookRowProps) {
  const marks = marksOfHook(hook, budgetMs)
  return (
    <TableRow>
      <Cell className="text-quiet">{plainLine(hook.event, 40)}</Cell>
      <Cell className="max-w-56 truncate font-medium" title={hook.condition === null ? '' : `when ${plainLine(hook.condition)}`}>
        {plainLine(hook.name, 80)} {hook.isGuardrail && <Badge>guardrail</Badge>}
      </Cell>
      <Cell className="whitespace-nowrap text-quiet">{plainLine(hook.type, 40)}</Cell>
      <Cell className="mono max-w-48 truncate" title={plainLine(hook.matcher ?? '*')}>
        {plainLine(hook.matcher ?? '*', 80)}
      </Cell>
      <Cell className="text-quiet">{plainLine(hook.scope, 30)}</Cell>
      <Cell className="mono max-w-44 truncate text-faint" title={plainLine(hook.place ?? '')}>
        {shortPlace(hook.place, root)}
      </Cell>
      <Cell isNumber>{hook.runs.toLocaleString('en')}</Cell>
      <Cell isNumber className="whitespace-nowrap text-quiet">
        {milliseconds(hook.p50Ms)}
      </Cell>
      <Cell>
        <Budget p99Ms={hook.p99Ms} budgetMs={budgetMs} />
      </Cell>
      <MarkedCell marks={marks} className="w-full min-w-36 max-w-0" />
    </TableRow>
  )
}

/** The bar ends at twice the budget; the line in its middle is the budget. */
function Budget({ p99Ms, budgetMs }: { readonly p99Ms: number | null; readonly budgetMs: number }) {
  if (p99Ms === null) return <span className="text-faint">–</span>
  const share = Math.min(1, p99Ms / (2 * budgetMs))
  const isOver = p99Ms > budgetMs
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden="true" className="relative h-1.5 w-16 overflow-hidden rounded-full bg-none-tint">
        <span className={`block h-full origin-left ${isOver ? 'bg-ask' : 'bg-allow'}`} style={{ transform: `scaleX(${share})` }} />
        <span className="absolute inset-y-0 left-1/2 w-px bg-ink" />
      </span>
      <span className={isOver ? 'font-medium text-ask' : 'text-quiet'}>
        {milliseconds(p99Ms)}
        {isOver && <span className="sr-only"> over the budget</span>}
      </span>
    </span>
  )
}
