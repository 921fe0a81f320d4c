// Requests to the hub. The session's cookie goes along by itself, the page's key does not; the answer is a value or a DaemonError.
import { keepPreviousData, type UseMutationResult, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HubApi } from '#hub/api.ts'
import { DaemonError, NOBODY_ANSWERED } from '../daemon/daemon-error.ts'
import { pageHeaders } from '../daemon/page-key.ts'

export type Path = keyof HubApi
type Query = Readonly<Record<string, string | null>>

export async function askHub<T>(method: 'GET' | 'POST', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method, headers: { 'content-type': 'application/json', ...pageHeaders() }, credentials: 'same-origin' as const }
  const response = await fetch(path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }), signal: signal ?? null }).catch(
    error => {
      if (signal?.aborted === true) throw error
      throw new DaemonError('The hub does not answer. This page tries again by itself; machines go on without it.', NOBODY_ANSWERED)
    },
  )
  const answer = (await response.json().catch(() => ({}))) as { readonly error?: string }
  if (!response.ok) throw new DaemonError(answer.error ?? `The hub answered ${response.status}.`, response.status)
  return answer as T
}

export interface HubOptions {
  readonly query?: Query
  readonly everyMs?: number
  readonly isOn?: boolean
}

/** Read again every so often: what is on screen stays while the next answer is on its way. */
export function useHub<P extends Path>(path: P, options: HubOptions = {}): UseQueryResult<HubApi[P], DaemonError> {
  const { query = {}, everyMs = 2000, isOn = true } = options
  const address = addressOf(path, query)
  return useQuery<HubApi[P], DaemonError>({
    queryKey: [path, address],
    queryFn: ({ signal }) => askHub<HubApi[P]>('GET', address, undefined, signal),
    placeholderData: keepPreviousData as never,
    refetchInterval: everyMs === 0 ? false : everyMs,
    enabled: isOn,
  })
}

export function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Does something, and reads everything on screen again. */
export function useHubAct<Body>(path: string): UseMutationResult<unknown, DaemonError, Body> {
  const client = useQueryClient()
  return useMutation<unknown, DaemonError, Body>({
    mutationFn: body => askHub('POST', path, body),
    onSettled: () => client.invalidateQueries(),
  })
}
