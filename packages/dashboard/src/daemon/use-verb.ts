// A verb as React sees it: read with useVerb, change with useAct. What is on screen stays there while the next answer is on its way.
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { call, type Method, type Params, type Result } from './call.ts'
import type { DaemonError } from './daemon-error.ts'

export type VerbOptions<M extends Method> = Partial<
  Pick<UseQueryOptions<Result<M>, DaemonError>, 'enabled' | 'refetchInterval' | 'staleTime' | 'gcTime' | 'placeholderData'>
>

export function useVerb<M extends Method>(
  method: M,
  params: Params<M>,
  options: VerbOptions<M> = {},
): UseQueryResult<Result<M>, DaemonError> {
  const query: UseQueryOptions<Result<M>, DaemonError> = {
    queryKey: [method, params],
    queryFn: ({ signal }) => call(method, params, signal),
    placeholderData: keepPreviousData as never,
    ...options,
  }
  return useQuery(query)
}

export interface ActOptions<M extends Method> {
  /** After the daemon has done it; `given` is what was asked. */
  readonly onDone?: (result: Result<M>, given: Params<M>) => void
}

/** Reading what the change may have touched again is the caller's: `useForget()` or the stream's events. */
export function useAct<M extends Method>(method: M, { onDone }: ActOptions<M> = {}): UseMutationResult<Result<M>, DaemonError, Params<M>> {
  return useMutation<Result<M>, DaemonError, Params<M>>({
    mutationFn: params => call(method, params),
    onSuccess: (result, given) => onDone?.(result, given),
  })
}

/** Reads these verbs again wherever they are on screen. */
export function useForget(): (...methods: readonly Method[]) => void {
  const client = useQueryClient()
  return useCallback(
    (...methods) => {
      for (const method of methods) void client.invalidateQueries({ queryKey: [method] })
    },
    [client],
  )
}
