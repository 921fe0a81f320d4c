// The hooks of one event in the order they run, with their time against the budget, and what each would do at a typed call.
import type { PageApi } from '#page/api.ts'
import type { HookView, PolicyView } from '#page/policy.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Cell, type Column, Table, TableRow, WIDE, WIDEST } from '../part/table.tsx'
import { milliseconds } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { marksOfHook } from './group-rules.ts'
import { MarkedCell } from './marks.tsx'
import { shortPlace } from './short-place.ts'

type Simulation = PageApi['page.simulate']['result']
type SimulatedHook = Simulation['hooks'][number]

/** `simulation`: of a typed call, for the event that it is of. */
export interface HookTableProps {
  readonly event: string
  readonly hooks: readonly HookView[]
  readonly policy: PolicyView
  readonly simulation: Simulation | null
}

export function HookTable({ event, hooks, policy: { budgetMs, root }, simulation }: HookTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={event} className="thin-scroll relative overflow-x-auto rounded border bg-surface">
      <Table label={`Hooks of ${event}`} columns={columnsFor(budgetMs, simulation !== null)} isFixed>
        {hooks.map((hook, index) => (
          <HookRow key={hook.id} hook={hook} place={index + 1} facts={{ budgetMs, root }} simulated={findSimulated(simulation, hook)} />
        ))}
      </Table>
    </section>
  )
}

/** undefined: no call was typed; null: it says nothing of this hook. */
function findSimulated(simulation: Simulation | null, hook: HookView): SimulatedHook | null | undefined {
  if (simulation === null) return undefined
  return simulation.hooks.find(({ name, place }) => name === hook.name && place === hook.place) ?? null
}

/** Of columns that make room for what a typed call says. */
function spare(hasCall: boolean): string {
  return hasCall ? 'max-[1600px]:hidden' : WIDEST
}

function columnsFor(budgetMs: number, hasCall: boolean): readonly Column[] {
  return [
    { name: '#', isNumber: true, className: 'w-8' },
    { name: 'hook', className: 'w-44' },
    // As wide as the columns that it takes the place of.
    ...(hasCall ? [{ name: 'this call', className: 'lg:w-52' }] : []),
    { name: 'type', className: `w-32 ${spare(hasCall)}` },
    { name: 'matcher', className: `w-32 lg:w-38 ${WIDE}` },
    { name: 'condition', className: `w-20 ${spare(hasCall)}` },
    { name: 'source', className: `w-24 ${WIDEST}` },
    { name: 'place', className: `w-42 ${WIDEST}` },
    { name: 'last', className: `w-28 ${hasCall ? WIDEST : WIDE}` },
    { name: 'runs', isNumber: true, className: `w-14 ${WIDEST}` },
    { name: 'p50', isNumber: true, className: `w-20 ${WIDEST}` },
    { name: `p99 of ${budgetMs} ms`, className: `w-36 lg:w-38 ${hasCall ? WIDEST : WIDE}` },
    { name: 'notes', className: `lg:w-24 min-[1440px]:w-auto ${hasCall ? WIDE : ''}` },
  ]
}

interface HookRowProps {
  readonly hook: HookView
  /** In the order they run. */
  readonly place: number
  readonly facts: { readonly budgetMs: number; readonly root: string }
  readonly simulated: SimulatedHook | null | undefined
}

function HookRow({ hook, place, facts: { budgetMs, root }, simulated }: HookRowProps) {
  const hasCall = simulated !== undefined
  return (
    <TableRow>
      <Cell isNumber className="text-faint">
        {hook.inert === null ? place : '–'}
      </Cell>
      <Cell className="truncate font-medium" title={plainLine([hook.name, hook.source, hook.place ?? ''].join(' '))}>
        {plainLine(hook.name, 80)} {hook.isGuardrail && <Badge>guardrail</Badge>}
        {!hasCall && hook.matcher !== null && hook.matcher !== '*' && (
          <span className="mono block truncate text-faint text-tiny md:hidden">{plainLine(hook.matcher, 80)}</span>
        )}
      </Cell>
      {hasCall && <Cell className="text-small">{simulatedWords(hook, simulated)}</Cell>}
      <Cell className={`whitespace-nowrap text-quiet ${spare(hasCall)}`}>
        {plainLine([hook.type, hook.mode].filter(word => word !== '').join(', '), 60)}
      </Cell>
      <Cell className={`mono truncate ${WIDE}`} title={plainLine(hook.matcher ?? '*')}>
        {plainLine(hook.matcher ?? '*', 80)}
      </Cell>
      <Cell className={`mono truncate text-quiet ${spare(hasCall)}`} title={plainLine(hook.condition ?? '')}>
        {plainLine(hook.condition ?? '–', 80)}
      </Cell>
      <Cell className={`whitespace-nowrap text-quiet ${WIDEST}`}>
        {hook.source === 'belay' ? "Belay's own" : plainLine(hook.source, 30)}
      </Cell>
      <Cell className={`mono truncate text-faint ${WIDEST}`} title={plainLine(hook.place ?? '')}>
        {shortPlace(hook.place, root)}
      </Cell>
      <Cell className={`whitespace-nowrap ${hasCall ? WIDEST : WIDE}`}>
        <Last last={hook.last} />
      </Cell>
      <Cell isNumber className={WIDEST}>
        {hook.runs.toLocaleString('en')}
      </Cell>
      <Cell isNumber className={`whitespace-nowrap text-quiet ${WIDEST}`}>
        {milliseconds(hook.p50Ms)}
      </Cell>
      <Cell className={hasCall ? WIDEST : WIDE}>
        <Budget p99Ms={hook.p99Ms} budgetMs={budgetMs} />
      </Cell>
      <MarkedCell marks={marksOfHook(hook, budgetMs)} className={`overflow-hidden ${hasCall ? WIDE : ''}`} />
    </TableRow>
  )
}

/** What became of its last run. */
function Last({ last }: { readonly last: HookView['last'] }) {
  if (last === null) return <span className="text-faint">–</span>
  return (
    <span className="inline-flex items-baseline gap-1.5">
      {last.verdict === 'none' ? (
        <span className="text-quiet">{plainLine(last.outcome, 30)}</span>
      ) : (
        <VerdictMark verdict={last.verdict} plain />
      )}
      <span className="text-faint text-small">
        <Age time={last.at} />
      </span>
    </span>
  )
}

const WHY: Readonly<Record<string, string>> = {
  matcher: 'its matcher does not fit',
  'only-if': 'its `if` does not fit',
  condition: 'its condition is false',
  once: 'it has run once already',
  'after-deny': 'a hook before it denied',
  disabled: 'hooks are switched off',
  'managed-only': 'only hooks of the policy may run',
  duplicate: 'the same hook ran already',
}

/** A simulation starts nothing: what acts on the world would run, and says nothing. */
const NOT_STARTED = 'not run without --run'

function simulatedWords(hook: HookView, simulated: SimulatedHook | null) {
  if (hook.inert !== null) return <span className="text-faint">does not run</span>
  if (simulated === null) return <span className="text-faint">depends on the work</span>
  const { decision, skipped } = simulated
  if (skipped !== null && skipped !== NOT_STARTED) return <span className="text-faint">skipped: {WHY[skipped] ?? skipped}</span>
  return decision === null || decision === 'none' ? (
    <span className="font-medium text-accent">runs</span>
  ) : (
    <VerdictMark verdict={decision} plain />
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
