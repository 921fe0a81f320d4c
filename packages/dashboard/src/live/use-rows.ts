// The rows of one filter, followed for as long as they are on screen.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { RecordFilter, RecordRow } from '#page/record.ts'
import { call } from '../daemon/call.ts'
import { onEvent } from '../daemon/stream.ts'
import { type Following, followRows } from './follow-rows.ts'
import { createRowStore, type RowSnapshot, type RowStore } from './row-store.ts'

export interface Rows {
  readonly store: RowStore
  readonly shown: RowSnapshot
  readonly problem: Error | null
  loadOlder(): void
  readAgain(): void
}

const PAGE_ROWS = 500

export function useRows(filter: RecordFilter): Rows {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter, another store
  const store = useMemo(() => createRowStore(), [filter])
  const shown = useSyncExternalStore(store.subscribe, store.snapshot)
  const last = useRef(shown)
  if (shown.isLoaded) last.current = shown
  const [problem, setProblem] = useState<Error | null>(null)
  const following = useRef<Following | null>(null)
  useEffect(() => {
    const started = followRows({
      store,
      filter,
      load: before => call('page.records', { filter, limit: PAGE_ROWS, ...(before === null ? {} : { before }) }),
      onRow: listener => onEvent('row', data => listener(data as RecordRow)),
      onGap: listener => onEvent('gap', listener),
      onProblem: setProblem,
      later: (run, ms) => void setTimeout(run, ms),
    })
    following.current = started
    return started.stop
  }, [store, filter])
  return {
    store,
    // Another filter's rows are on their way: what was there stays until they come.
    shown: last.current,
    problem,
    loadOlder: () => void following.current?.loadOlder(),
    readAgain: () => void following.current?.readAgain(),
  }
}
