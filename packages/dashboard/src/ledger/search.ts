// The filter of the ledger, its place in the address, and what people type: `tool:Bash verdict:deny rm` is two facets and a text.
import type { RecordFilter } from '#page/record.ts'

export const FACETS = ['verdict', 'kind', 'tool', 'agent', 'actor', 'project'] as const
export type FacetName = (typeof FACETS)[number]

const KEYS = [...FACETS, 'agentId', 'session', 'commitment', 'since', 'until', 'text'] as const satisfies readonly (keyof RecordFilter)[]
export type FilterKey = (typeof KEYS)[number]

export function readFilter(params: URLSearchParams): RecordFilter {
  const filter: Partial<Record<FilterKey, string>> = {}
  for (const key of KEYS) {
    const value = params.get(key)
    if (value !== null && value !== '') filter[key] = value
  }
  return filter
}

/** What was typed, with the facets in it taken out. `since:2d` and `since:30m` count back from now. */
export function readSearch(typed: string, nowMs: number): RecordFilter {
  const filter: Partial<Record<FilterKey, string>> = {}
  const words: string[] = []
  for (const [word = '', key, quoted, plain] of typed.matchAll(TOKEN)) {
    const name = KEYS.find(known => known.toLowerCase() === key?.toLowerCase())
    const value = quoted ?? plain ?? ''
    if (name === undefined || name === 'text' || value === '') words.push(word)
    else filter[name] = name === 'since' || name === 'until' ? readTime(value, nowMs) : value
  }
  if (words.length > 0) filter.text = words.join(' ')
  return filter
}

const TOKEN = /(?:([A-Za-z]+):)?(?:"([^"]*)"|(\S+))/g

/** A span of time back from now, or what was typed. */
function readTime(value: string, nowMs: number): string {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(value) ?? []
  if (count === undefined || unit === undefined) return value
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0
  return new Date(nowMs - Number(count) * unitMs).toISOString()
}

export function exportAddress(format: 'jsonl' | 'csv', filter: RecordFilter): string {
  const params = new URLSearchParams({ format })
  for (const [key, value] of Object.entries(filter)) if (typeof value === 'string') params.set(key, value)
  return `/v1/export?${params}`
}
