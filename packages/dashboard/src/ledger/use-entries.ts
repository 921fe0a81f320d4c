// Entries that match, page after page, newest first. What comes in meanwhile is counted, not slipped in under the reader.
import type { InfiniteData } from '@tanstack/react-query'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { RecordFilter, RecordPage, RecordRow } from '#page/record.ts'
import { call } from '../daemon/call.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useEvent } from '../daemon/stream.ts'

const PAGE_ROWS = 200

export interface Entries {
  readonly rows: readonly RecordRow[]
  readonly next: number | null
  readonly isPending: boolean
  readonly error: DaemonError | null
  /** Recorded since this was read; not all of them need match. */
  readonly fresh: number
  readonly loadMore: () => void
  readonly reload: () => void
}

export function useEntries(filter: RecordFilter): Entries {
  const client = useQueryClient()
  const [fresh, setFresh] = useState(0)
  const key = useMemo(() => ['page.records', filter] as const, [filter])
  const query = useInfiniteQuery<RecordPage, DaemonError, InfiniteData<RecordPage>, typeof key, number | null>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call('page.records', { filter, limit: PAGE_ROWS, ...(pageParam === null ? {} : { before: pageParam }) }, signal),
    initialPageParam: null,
    getNextPageParam: page => page.next,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEvent(
    'row',
    useCallback(() => setFresh(count => count + 1), []),
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.rows) ?? [], [query.data])
  return {
    rows,
    next: query.data?.pages.at(-1)?.next ?? null,
    isPending: query.isPending,
    error: query.error,
    fresh,
    loadMore: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
    reload: useCallback(() => {
      setFresh(0)
      void client.resetQueries({ queryKey: key })
    }, [client, key]),
  }
}
