// What the inbox or its history shows, which request is on screen, and the keys that walk.
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Approval, PageApi } from '#page/api.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { go, isNarrowScreen, useView } from '../frame/url.ts'
import { useKeys } from '../part/keys.tsx'
import { inboxOf, neighbourOf } from './inbox.ts'

export interface Inbox {
  /** Of the request on screen. */
  readonly id: string | null
  readonly isHistory: boolean
  readonly requests: readonly Approval[]
  readonly listed: UseQueryResult<PageApi['approvals.list']['result'], DaemonError>
}

export function useInbox(): Inbox {
  const { id, params } = useView()
  const isHistory = params.get('show') === 'history'
  const listed = useVerb('approvals.list', isHistory ? { all: true } : {})
  const wanted = useVerb('page.approval', { id: id ?? '' }, { enabled: id !== null })
  const current = wanted.data?.request.id === id ? (wanted.data?.request ?? null) : null
  const known = listed.data?.requests ?? []
  const requests = isHistory ? known.filter(({ state }) => state !== 'pending') : inboxOf(known, current)
  const first = requests[0]?.id ?? null
  // Pinned by the address: what is on screen must not change because another request came or went.
  useEffect(() => {
    if (id === null && first !== null && !isNarrowScreen()) show(first, isHistory)
  }, [id, first, isHistory])
  const step = (by: 1 | -1) => {
    const next = neighbourOf(requests, id, by)
    if (next !== null) show(next.id, isHistory)
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
  return { id, isHistory, requests, listed }
}

function show(id: string, isHistory: boolean): void {
  go('approvals', { id, params: isHistory ? { show: 'history' } : {} }, { replace: true })
}
