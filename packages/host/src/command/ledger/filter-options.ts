// The options by which entries are chosen, as they come from the command line.
import type { EntryFilter } from '../../ledger/read-entry.ts'

const TEXTS = ['actor', 'kind', 'tool', 'verdict', 'session', 'commitment', 'text'] as const

export type FilterOptions = Pick<EntryFilter, (typeof TEXTS)[number] | 'since' | 'until'>

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const VERDICTS: readonly string[] = ['allow', 'ask', 'deny', 'none']

export type ParsedFilter = { readonly kind: 'filter'; readonly filter: EntryFilter } | { readonly kind: 'bad'; readonly message: string }

export function parseFilter(options: FilterOptions, nowMs: number): ParsedFilter {
  const times: { since?: string; until?: string } = {}
  for (const name of ['since', 'until'] as const) {
    const text = options[name]
    if (text === undefined) continue
    const time = parseTime(text, nowMs)
    if (time === undefined)
      return { kind: 'bad', message: `--${name} ${text}: give a date (2026-01-31, 2026-01-31T10:00Z) or an age (15m, 2h, 7d)` }
    times[name] = time
  }
  const { verdict } = options
  if (verdict !== undefined && !VERDICTS.includes(verdict))
    return { kind: 'bad', message: `--verdict ${verdict}: give ${VERDICTS.slice(0, -1).join(', ')} or ${VERDICTS.at(-1)}` }
  const given = TEXTS.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]]))
  return { kind: 'filter', filter: { ...(Object.fromEntries(given) as EntryFilter), ...times } }
}

function parseTime(text: string, nowMs: number): string | undefined {
  const age = /^(\d+)([smhdw])$/.exec(text)
  const timeMs = age ? nowMs - Number(age[1]) * (UNIT_MS[age[2] ?? ''] ?? 0) : Date.parse(text)
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString()
}
