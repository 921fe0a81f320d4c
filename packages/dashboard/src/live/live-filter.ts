// The filters of the Live page as they stand in the URL.
import { useMemo } from 'react'
import type { RecordFilter } from '#page/record.ts'
import { useView } from '../frame/url.ts'

export const FILTERS = ['agent', 'agentId', 'actor', 'project', 'tool', 'verdict', 'session', 'commitment', 'kind', 'text'] as const
export type FilterName = (typeof FILTERS)[number]

export function readFilter(params: URLSearchParams): RecordFilter {
  const pairs = FILTERS.flatMap(name => {
    const value = params.get(name)
    return value === null || value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(pairs) as RecordFilter
}

/** The same object as long as the filters are the same. */
export function useFilter(): RecordFilter {
  const { params } = useView()
  const key = JSON.stringify(readFilter(params))
  return useMemo(() => JSON.parse(key) as RecordFilter, [key])
}
