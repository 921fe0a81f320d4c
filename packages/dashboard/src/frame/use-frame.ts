// What the strip and the rail show: read every two seconds, and at once where the stream says that it changed.
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Frame } from '#page/overview.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useEvent, useStreamState } from '../daemon/stream.ts'
import { useForget, useVerb } from '../daemon/use-verb.ts'

const NOTHING = {}
const EVERY_MS = 2000

export function useFrame(): UseQueryResult<Frame, DaemonError> {
  const { state } = useStreamState()
  return useVerb('page.frame', NOTHING, { refetchInterval: state === 'live' ? EVERY_MS : false })
}

/** Once for the page: requests and agents change at once, not at the next reading. */
export function useFreshness(): void {
  const forget = useForget()
  useEvent(
    'approval',
    useCallback(() => forget('approvals.list', 'page.frame'), [forget]),
  )
  useEvent(
    'agent.status',
    useCallback(() => forget('fleet.list', 'page.frame'), [forget]),
  )
}
