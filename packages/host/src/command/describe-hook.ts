// A hook as a line of a terminal, with what it cost lately.
import { type HookRow, placeOf } from '../guard/hook-row.ts'
import { BUDGET_MS } from '../statistic/budget.ts'

/** What a hook cost lately, as the daemon has counted it; null: it has not run, or there is no daemon to ask. */
export interface HookTimes {
  readonly runs: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

export function describeHook(row: HookRow): readonly string[] {
  const type = row.mode === null ? row.type : `${row.type} (${row.mode})`
  const where = placeOf(row) ?? ''
  return [
    ...[row.event, row.name, type, row.matcher ?? '*', row.condition ?? '-', describeRun(row), row.source],
    row.inert === null ? where : `${where}  inert: ${row.inert}`,
  ]
}

/** How it runs where that is unusual. */
export function describeRun({ once, async: isAsync }: Pick<HookRow, 'once' | 'async'>): string {
  return [once ? 'once' : '', isAsync ? 'async' : ''].filter(word => word !== '').join(', ') || '-'
}

export function describeTimes({ p50Ms, p99Ms }: HookTimes): string {
  if (p50Ms === null || p99Ms === null) return '-'
  return `${msText(p50Ms)} / ${msText(p99Ms)}${isSlow({ p50Ms, p99Ms }) ? ` ${OVER_BUDGET}` : ''}`
}

export const OVER_BUDGET = `over ${BUDGET_MS} ms`

/** Lately it went over the budget of a hook. */
export function isSlow({ p50Ms, p99Ms }: Pick<HookTimes, 'p50Ms' | 'p99Ms'>): boolean {
  return (p50Ms ?? 0) > BUDGET_MS || (p99Ms ?? 0) > BUDGET_MS
}

function msText(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
